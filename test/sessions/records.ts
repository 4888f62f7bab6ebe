import type { RecordTouch, SessionEpoch, SessionRecord } from '@latchkey/core/types';

const start = Date.parse('2026-03-01T12:00:00.457Z');

/** Returns an instant, by seconds after the start of the test. */
export function at(seconds: number): Date {
  return new Date(start + Math.round(seconds * 1000));
}

/** Returns a record that began at second 0, and expires after an hour. Ids are random, the other values are not. */
export function aRecord(members: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    startedAt: at(0),
    seenAt: at(0),
    expires: at(3600),
    authTime: at(-60),
    amr: ['pwd', 'otp'],
    provider: 'github',
    providerSession: crypto.randomUUID(),
    providerUser: crypto.randomUUID(),
    label: 'Firefox on Linux',
    ...members,
  };
}

/** Returns an epoch that is kept until `expires`. Default: an hour and a half. */
export function anEpoch(before: Date, expires: Date = at(5400)): SessionEpoch {
  return { before, expires };
}

/** Returns what a check writes if the record is due: ten minutes without a write. */
export function touchAt(seconds: number): RecordTouch {
  return { now: at(seconds), after: at(seconds - 600), expires: at(seconds + 3600) };
}

/** A check that writes nothing. */
export const look: RecordTouch = { now: at(1), after: new Date(0), expires: at(1) };
