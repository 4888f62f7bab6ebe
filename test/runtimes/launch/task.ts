import type { Sealed } from '../portable/case.ts';

/** The task of a runtime. */
export interface Task {
  /** Name of the runtime, with its engine. */
  readonly by: string;
  readonly engine: 'node' | 'web';
  readonly fromOthers: readonly Sealed[];
}

/** Stands before the report in the output. */
export const MARK = 'latchkey-report: ';
