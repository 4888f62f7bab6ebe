import type { Adapter, AdapterSession } from '@latchkey/core/adapters';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import { KEEP, lifetime } from '../lifetime.ts';
import type { Step, Write } from '../plan.ts';
import { again } from '../retry.ts';
import { markOf, membersOf, ownerOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { instant, lookupPart, required } from '../values.ts';
import { readUser } from './user-row.ts';

/** Methods about sessions. */
export type SessionMethods = Required<
  Pick<
    Adapter,
    'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'replaceSession' | 'extendSession'
  >
>;

/** Methods about sessions whose users are kept elsewhere. */
export type SessionOnlyMethods = Omit<SessionMethods, 'getSessionAndUser'> & {
  /** The session of a token; expired ones are returned like others. */
  readSession(sessionToken: string): Promise<AdapterSession | null>;
  /** Deletes all sessions of a user; resolves to their number. */
  deleteSessionsOfUser(userId: string): Promise<number>;
};

/** The sessions of a store whose users are there, too. */
export function sessionsOf(store: Store): SessionMethods {
  return {
    ...sharedMethods(store, (owner) => [['exists', store.keys.of('user', owner)]]),
    getSessionAndUser: async (sessionToken) => {
      const part = lookupPart(sessionToken);
      const found = part && (await store.withOwner('session', part));
      if (!found || found.user === null) return null;
      return { session: readSession(sessionToken, found.row), user: readUser(found.user) };
    },
  };
}

/** The sessions of a store that knows no users. */
export function sessionsOnlyOf(store: Store): SessionOnlyMethods {
  return {
    ...sharedMethods(store, () => []),
    readSession: async (sessionToken) => {
      const part = lookupPart(sessionToken);
      const row = part && (await store.get(store.keys.of('session', part)));
      return row ? readSession(sessionToken, row) : null;
    },
    deleteSessionsOfUser: async (userId) => {
      const owner = lookupPart(userId);
      return owner === null ? 0 : deleteSessionsOfUser(store, owner);
    },
  };
}

/** What must hold for a user to get a session. */
type NeedsOfOwner = (owner: string) => NonNullable<Step['need']>;

function sharedMethods(store: Store, needsOf: NeedsOfOwner): Omit<SessionMethods, 'getSessionAndUser'> {
  return {
    createSession: (session) => replaceSession(store, needsOf, undefined, session),
    replaceSession: (old, session) => replaceSession(store, needsOf, old, session),
    updateSession: (session) => updateSession(store, session),
    deleteSession: async (sessionToken) => {
      const part = lookupPart(sessionToken);
      const row = part && (await deleteSession(store, part));
      return row ? readSession(sessionToken, row) : null;
    },
    extendSession: ({ sessionToken, from, to }) => extendSession(store, sessionToken, from, to),
  };
}

async function replaceSession(
  store: Store,
  needsOf: NeedsOfOwner,
  old: string | undefined,
  { sessionToken, userId, expires }: AdapterSession,
): Promise<AdapterSession> {
  const part = partOf(required('session.sessionToken', sessionToken));
  const owner = partOf(required('session.userId', userId));
  const row = sessionText(owner, userId, instant('session.expires', expires));
  const key = store.keys.of('session', part);
  const oldPart = lookupPart(old);
  return again(async () => {
    const oldRow = oldPart === null ? null : await store.get(store.keys.of('session', oldPart));
    const itself = oldPart === part && oldRow !== null;
    const unmet = await store.commit([
      { need: needsOf(owner), write: [listed(store, part, row)] },
      { need: [itself ? ['is', key, oldRow] : ['absent', key]], write: put(store, part, row) },
      // That the old one is gone already is no reason to fail.
      ...(oldPart === null || oldRow === null || itself ? [] : removal(store, oldPart, ownerOf(oldRow), 'if there')),
    ]);
    if (unmet === null) {
      if (await isOwned(store, needsOf(owner))) return { done: readSession(sessionToken, row) };
      await store.commit(removal(store, part, owner, 'if there'));
    }
    if (unmet !== key) throw new RowNotFound('there is no user of this id to create a session for');
    if (!itself) throw new UniqueViolation('session.sessionToken');
    return undefined;
  });
}

/** In several steps, the user may have been deleted before the row was there to be deleted, too. */
async function isOwned(store: Store, needs: ReturnType<NeedsOfOwner>): Promise<boolean> {
  return store.keys.tag === 'all' || (await store.commit([{ need: needs, write: [] }])) === null;
}

async function updateSession(
  store: Store,
  { sessionToken, userId, expires }: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
): Promise<AdapterSession | null> {
  const newOwner = userId === undefined ? undefined : partOf(required('session.userId', userId));
  const newExpires = expires === undefined ? undefined : instant('session.expires', expires);
  const part = lookupPart(sessionToken);
  if (part === null) return null;
  return again(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null) return { done: null };
    const { userId: oldUserId, expires: oldExpires } = readSession(sessionToken, row);
    const owner = newOwner ?? ownerOf(row);
    const next = sessionText(owner, userId ?? oldUserId, newExpires ?? oldExpires);
    if (!(await moved(store, part, row, next))) return undefined;
    return { done: readSession(sessionToken, next) };
  });
}

/** Compares the row with what was read: a session that was deleted meanwhile stays deleted. */
async function extendSession(store: Store, sessionToken: string, from: Date, to: Date): Promise<boolean> {
  const [before, after] = [instant('from', from), instant('to', to)];
  const part = lookupPart(sessionToken);
  if (part === null) return false;
  return again(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null || markOf(row) !== before.getTime()) return { done: false };
    const next = sessionText(ownerOf(row), readSession(sessionToken, row).userId, after);
    return (await moved(store, part, row, next)) ? { done: true } : undefined;
  });
}

/** Puts a row in the place of another, unless that one is gone or changed. */
async function moved(store: Store, part: string, row: string, next: string): Promise<boolean> {
  const key = store.keys.of('session', part);
  const left: Step[] =
    ownerOf(row) === ownerOf(next) ? [] : [{ write: [['unschedule', store.keys.of('sessions', ownerOf(row)), part]] }];
  const unmet = await store.commit([
    { write: [listed(store, part, next)] },
    { need: [['is', key, row]], write: put(store, part, next) },
    ...left,
  ]);
  return unmet === null;
}

async function deleteSession(store: Store, part: string): Promise<string | null> {
  return again(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null) return { done: null };
    const unmet = await store.commit(removal(store, part, ownerOf(row), 'or refuse'));
    return unmet === null ? { done: row } : undefined;
  });
}

/** Entries of sessions that are not there stay: they may be about to be created, and go when they have expired. */
async function deleteSessionsOfUser(store: Store, owner: string): Promise<number> {
  const parts = await store.scheduled(store.keys.of('sessions', owner));
  const unmet = await Promise.all(parts.map((part) => store.commit(removal(store, part, owner, 'or refuse'))));
  return unmet.filter((one) => one === null).length;
}

/** Deletes a session whatever its expiry is by now. The row goes before its entry in the user's list. */
function removal(store: Store, part: string, owner: string, when: 'if there' | 'or refuse'): Step[] {
  const key = store.keys.of('session', part);
  const forget: Write = ['unschedule', store.keys.expiring(part), expiringName(part)];
  return [
    when === 'or refuse'
      ? { need: [['of', key, owner]], write: [['drop', key], forget] }
      : { write: [['dropOf', key, owner], forget] },
    { write: [['unschedule', store.keys.of('sessions', owner), part]] },
  ];
}

/** Enters a session in its user's list. That comes before the row: nothing of a user is missing there. */
function listed(store: Store, part: string, row: string): Write {
  return ['schedule', store.keys.of('sessions', ownerOf(row)), part, ...schedule(store, row)];
}

function put(store: Store, part: string, row: string): Write[] {
  return [
    ['put', store.keys.of('session', part), row, lifetime(new Date(markOf(row)), store.now())],
    ['schedule', store.keys.expiring(part), expiringName(part), ...schedule(store, row)],
  ];
}

function schedule(store: Store, row: string): [expires: string, now: string, keep: string] {
  return [String(markOf(row)), String(store.now().getTime()), String(KEEP)];
}

function expiringName(part: string): string {
  return `session:${part}`;
}

function sessionText(owner: string, userId: string, expires: Date): string {
  return rowText(owner, expires.getTime(), { userId });
}

/** The token is in no row: whoever can read the database cannot take over a session. */
function readSession(sessionToken: string, row: string): AdapterSession {
  return { sessionToken, userId: membersOf(row)['userId'] as string, expires: new Date(markOf(row)) };
}
