/** Something that goes wrong at one step of a delivery. Members may be combined. */
export interface MailFault {
  /** Reply code of the refusal: 4xx is temporary, 5xx final. */
  refuse?: number;
  /** The connection breaks off. */
  drop?: boolean;
  /** Milliseconds before the server answers. */
  delay?: number;
  /** How many times it happens; afterwards all is well. Default: every time. */
  times?: number;
}

/** Steps of a delivery: the greeting, the sender's sign-in, the recipient, the end of the mail. */
export type MailStep = 'connect' | 'auth' | 'recipient' | 'data';

/** What goes wrong where; assign and delete freely. */
export type MailFaults = { [Step in MailStep]?: MailFault | undefined };

/** Error that the SMTP server answers with its own code. */
class Refusal extends Error {
  readonly responseCode: number;

  constructor(step: MailStep, responseCode: number) {
    super(`refused by the test (${step})`);
    this.responseCode = responseCode;
  }
}

/**
 * Lets a step meet its fault, if it has one.
 *
 * @param met Counts how often each fault has happened.
 * @param drop Breaks the connection off.
 * @returns `false` when the connection is gone: no answer is due.
 * @throws {Refusal} when the step is to be refused.
 */
export async function meetFault(
  step: MailStep,
  faults: MailFaults,
  met: Map<MailFault, number>,
  drop: () => void,
): Promise<boolean> {
  const fault = faults[step];
  if (!fault) return true;
  const before = met.get(fault) ?? 0;
  met.set(fault, before + 1);
  if (before >= (fault.times ?? Number.POSITIVE_INFINITY)) return true;
  if (fault.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  if (fault.drop) {
    drop();
    return false;
  }
  if (fault.refuse !== undefined) throw new Refusal(step, fault.refuse);
  return true;
}
