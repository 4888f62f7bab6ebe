import type { SuiteRunner } from './adapter-suite/runner.ts';
import { cleanup } from './session-records-suite/cleanup.ts';
import { epochs } from './session-records-suite/epochs.ts';
import { find } from './session-records-suite/find.ts';
import { create, remove, touch } from './session-records-suite/records.ts';
import { casesOf, type MakeRecords, type RecordsSubject } from './session-records-suite/subject.ts';
import { text } from './session-records-suite/text.ts';

export type { MakeRecords, RecordsSubject, SuiteRunner };

/** Selects the groups of cases. */
export interface SessionRecordsSuiteOptions {
  /** The store has the method `cleanup`. Default: `true`; `false` for stores whose rows expire by themselves. */
  cleanup?: boolean | undefined;
}

/**
 * Registers the cases that a store of session records has to pass. Each case makes its own subject and closes it.
 *
 * ```ts
 * import { describe, it } from 'vitest';
 * sessionRecordsSuite(() => ({ records: MyRecords(database()) }), { describe, it });
 * ```
 */
export function sessionRecordsSuite(
  make: MakeRecords,
  runner: SuiteRunner,
  options: SessionRecordsSuiteOptions = {},
): void {
  const it = casesOf(make, runner);
  const { describe } = runner;
  describe('create', () => create(it));
  describe('check', () => touch(it));
  describe('find', () => find(it));
  describe('remove', () => remove(it));
  describe('endBefore', () => epochs(it));
  describe('text', () => text(it));
  if (options.cleanup !== false) describe('cleanup', () => cleanup(it));
}
