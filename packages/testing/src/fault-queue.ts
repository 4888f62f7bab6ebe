/** How a method fails: before it writes, or after it has written, so that only its result is lost. */
export interface AdapterFault {
  /** Default: `before`. */
  when?: 'before' | 'after' | undefined;
  /** Default: an error that names the method. */
  error?: Error | undefined;
  /** Number of calls that fail. Default: 1. */
  times?: number | undefined;
}

/** How a step of a record store fails. */
export interface RecordFault extends AdapterFault {
  /** The step never answers, instead of rejecting. Default: `false`. */
  hang?: boolean | undefined;
}

/** A fault of one call. */
interface Fault {
  readonly when: 'before' | 'after';
  readonly error: Error;
  readonly hang: boolean;
  times: number;
}

/** The faults of the next calls, by method, in the order of the calls to `fail`. */
export class FaultQueue {
  readonly #waiting = new Map<string, Fault[]>();

  add(method: string, fault: RecordFault | Error | 'before' | 'after'): void {
    const {
      when = 'before',
      error = new Error(`${method} failed on demand`),
      hang = false,
      times = 1,
    } = faultOf(fault);
    const queue = this.#waiting.get(method) ?? [];
    queue.push({ when, error, hang, times });
    this.#waiting.set(method, queue);
  }

  /** Removes all faults. */
  clear(): void {
    this.#waiting.clear();
  }

  /** Returns the fault of this call; `undefined` if the call succeeds. */
  take(method: string): Fault | undefined {
    const queue = this.#waiting.get(method);
    const fault = queue?.[0];
    if (fault && --fault.times <= 0) queue?.shift();
    return fault;
  }
}

function faultOf(fault: RecordFault | Error | 'before' | 'after'): RecordFault {
  if (fault instanceof Error) return { error: fault };
  return typeof fault === 'string' ? { when: fault } : fault;
}
