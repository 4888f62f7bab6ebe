/** Work that is measured. It can be repeated. */
export interface Work {
  /** Does the work once. */
  run(): unknown;
  /**
   * Describes the answer of one run, for a comparison with other contenders. Throws if the answer is wrong.
   * Random and time-dependent values are checked and left out.
   */
  answer(): Promise<unknown>;
  /** Number of runs in flight. Default: 1. */
  readonly inFlight?: number | undefined;
  /** How often one run does the work. Default: 1. */
  readonly times?: number | undefined;
  /** Whether it mostly waits for a server. Its slices then use the wall clock. */
  readonly waits?: boolean | undefined;
  close?(): Promise<void>;
}

/** The contenders: Latchkey, an earlier build of it, the peers, and the limit. */
export type Contender = 'latchkey' | 'before' | 'authjs' | 'better-auth' | 'limit';

/** The export of a file of `bench/tasks`: prepares the task for each contender. `parameter` is that of the row. */
export type Workshop = Partial<Record<Exclude<Contender, 'before'>, (parameter: never) => Promise<Work> | Work>>;

/** The time of a slice. */
export interface Slice {
  readonly runs: number;
  /** Microseconds of the wall clock. */
  readonly wall: number;
  /** Microseconds of processor time of all threads. */
  readonly cpu: number;
}
