import type { RecordKey, RecordTouch, SessionEpoch, SessionRecord, SessionRecords } from '@latchkey/core/types';
import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';

const start = Date.parse('2026-03-01T12:00:00.457Z');

/** Returns an instant, by seconds after the start of the case. */
export function at(seconds: number): Date {
  return new Date(start + Math.round(seconds * 1000));
}

/** Returns a record with every member, of a user of its own. It began at second 0, and expires after an hour. */
export function aRecord(members: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: fresh('session'),
    userId: fresh('user'),
    startedAt: at(0),
    seenAt: at(0),
    expires: at(3600),
    authTime: at(-60),
    amr: ['pwd', 'otp'],
    provider: 'github',
    providerSession: fresh('provider-session'),
    providerUser: fresh('provider-user'),
    label: 'Firefox on Linux',
    network: '203.0.113.0/24',
    handle: 'sealed.token',
    idToken: 'sealed.id-token',
    ...members,
  };
}

/** Returns a record without the optional members. Core passes them as `undefined`. */
export function aPlainRecord(members: Partial<SessionRecord> = {}): SessionRecord {
  const absent = {
    provider: undefined,
    providerSession: undefined,
    providerUser: undefined,
    label: undefined,
    network: undefined,
    handle: undefined,
    idToken: undefined,
  };
  return aRecord({ ...absent, amr: [], ...members });
}

/** Returns an epoch that is kept for a day. */
export function anEpoch(before: Date, members: Partial<SessionEpoch> = {}): SessionEpoch {
  return { before, expires: at(86_400), ...members };
}

/** Returns what a check at an instant writes: a record that was seen ten minutes earlier, and an hour from now. */
export function touchAt(seconds: number, members: Partial<RecordTouch> = {}): RecordTouch {
  return { now: at(seconds), after: at(seconds - 600), expires: at(seconds + 3600), ...members };
}

/** Returns a check that does not write. */
export function look(seconds = 1): RecordTouch {
  return { now: at(seconds), after: new Date(0), expires: at(seconds) };
}

/** Returns whether a session is live, has ended, or is unknown. */
export async function stateOf(records: SessionRecords, id: string, seconds = 1): Promise<'live' | 'ended' | 'unknown'> {
  const answer = await records.check(id, look(seconds));
  return typeof answer === 'object' ? 'live' : answer;
}

/** Returns the ids of the records that a store finds, in its order. */
export async function idsOf(records: SessionRecords, by: RecordKey, seconds = 1, skip?: number): Promise<string[]> {
  return (await records.find(by, at(seconds), skip)).map(({ id }) => id);
}

/** Fails the case unless a check has returned this record. Members that are `undefined` have to be absent. */
export function sameRecord(actual: SessionRecord | 'ended' | 'unknown' | undefined, expected: SessionRecord): void {
  check(typeof actual === 'object', `expected a record, got ${String(actual)}`);
  same(present(actual), present(expected), 'record');
  for (const name of ['startedAt', 'seenAt', 'expires', 'authTime'] as const)
    check(actual[name] instanceof Date, `${name} must be a Date`);
  for (const [name, value] of Object.entries(actual)) check(value !== null, `${name} must be absent, not null`);
}

function present(record: SessionRecord): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Calls a function with each number below `count`, at the same time. */
export function together<T>(count: number, call: (index: number) => T): Promise<Awaited<T>[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}
