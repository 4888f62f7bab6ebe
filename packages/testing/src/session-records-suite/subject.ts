import type { Awaitable, SessionRecords } from '@latchkey/core/types';
import type { SuiteRunner } from '../adapter-suite/runner.ts';

/** The record store under test. */
export interface RecordsSubject {
  /** The record store under test. */
  readonly records: SessionRecords;
  /** The same store, as another process has it. Default: {@link records}. */
  readonly elsewhere?: SessionRecords | undefined;
  /** Called after the case. */
  close?(): Awaitable<void>;
}

/** Makes the subject of one case. The store may hold rows of earlier cases: each case uses its own keys. */
export type MakeRecords = () => Awaitable<RecordsSubject>;

/** Registers a case. */
export type Case = (title: string, body: (records: SessionRecords, elsewhere: SessionRecords) => Promise<void>) => void;

/** Returns a function that registers cases; each case makes and closes its own subject. */
export function casesOf(make: MakeRecords, runner: SuiteRunner): Case {
  return (title, body) => {
    runner.it(title, async () => {
      const { records, elsewhere = records, close } = await make();
      try {
        await body(records, elsewhere);
      } finally {
        await close?.();
      }
    });
  };
}
