/** How a method is to fail: before it has written anything, or after, when only its answer is lost. */
export interface AdapterFault {
  /** Default: `before`. */
  when?: 'before' | 'after' | undefined;
  /** Default: an error that names the method. */
  error?: Error | undefined;
  /** Number of calls that fail. Default: 1. */
  times?: number | undefined;
}

interface Fault {
  readonly when: 'before' | 'after';
  readonly error: Error;
  times: number;
}

/** Faults in waiting, by method, in the order in which they were asked for. */
export class FaultQueue {
  readonly #waiting = new Map<string, Fault[]>();

  add(method: string, fault: AdapterFault | Error | 'before' | 'after'): void {
    const { when, error, times } = faultOf(fault);
    const queue = this.#waiting.get(method) ?? [];
    queue.push({ when: when ?? 'before', error: error ?? new Error(`${method} failed on demand`), times: times ?? 1 });
    this.#waiting.set(method, queue);
  }

  /** The fault of this call, if it is to fail. */
  take(method: string): Fault | undefined {
    const queue = this.#waiting.get(method);
    const fault = queue?.[0];
    if (fault && --fault.times <= 0) queue?.shift();
    return fault;
  }
}

function faultOf(fault: AdapterFault | Error | 'before' | 'after'): AdapterFault {
  if (fault instanceof Error) return { error: fault };
  return typeof fault === 'string' ? { when: fault } : fault;
}
