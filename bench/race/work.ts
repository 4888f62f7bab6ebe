/** Something to be measured, ready to be repeated. */
export interface Work {
  /** Does it once. */
  run(): unknown;
  /**
   * What one run answers, in words that can be compared with another contender's; throws where the answer is wrong.
   * Random and passing values are checked and left out.
   */
  answer(): Promise<unknown>;
  /** How many runs are under way at a time. Default: 1. */
  readonly inFlight?: number | undefined;
  /** How many times the work is done by one run. Default: 1. */
  readonly times?: number | undefined;
  /** Most of its time it waits for a server; its slices go by the clock. */
  readonly waits?: boolean | undefined;
  close?(): Promise<void>;
}

/** Who takes part: ours, an earlier build of ours, the peers, and what is written by hand. */
export type Contender = 'latchkey' | 'before' | 'authjs' | 'better-auth' | 'limit';

/** What a file of `bench/tasks` exports: per contender how its work is made ready. `parameter` is the row's. */
export type Workshop = Partial<Record<Exclude<Contender, 'before'>, (parameter: never) => Promise<Work> | Work>>;

/** What a slice took. */
export interface Slice {
  readonly runs: number;
  /** Microseconds of the clock. */
  readonly wall: number;
  /** Microseconds that all threads of the process have worked. */
  readonly cpu: number;
}
