import { type AdapterSession, type AdapterSessionMethods, fields } from '@latchkey/core/adapters';
import { RowNotFound, UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import { retry, type Step, type Write } from '../plan.ts';
import { type Members, markOf, membersOf, ownerOf, rowText } from '../row.ts';
import { KEEP, lifetime, type Store } from '../store.ts';
import { checked, instant, lookupPart, required } from '../values.ts';
import { readUser } from './user-row.ts';

/** Methods about sessions of users who are stored elsewhere. */
export type SessionOnlyMethods = Omit<AdapterSessionMethods, 'getSessionAndUser'> & {
  /** Reads a session by its token, expired or not; `null` if it does not exist. */
  readSession(sessionToken: string): Promise<AdapterSession | null>;
  /** Deletes all sessions of a user. Resolves to their number. */
  deleteSessionsOfUser(userId: string): Promise<number>;
};

/** Returns the methods about sessions of users in the same store. */
export function sessionsOf(store: Store): AdapterSessionMethods {
  return {
    ...sharedMethods(store, (owner) => [['exists', store.keys.of('user', owner)]]),
    getSessionAndUser: async (sessionToken) => {
      const part = lookupPart(sessionToken);
      const found = part && (await store.withOwner('session', part));
      if (!found || found.user === null) return null;
      return { session: readSession(sessionToken, found.row), user: readUser(store.users, found.user) };
    },
  };
}

/** Returns the methods about sessions of users in another store. */
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

/** Returns the conditions for a user to get a session. */
type NeedsOfOwner = (owner: string) => NonNullable<Step['need']>;

function sharedMethods(store: Store, needsOf: NeedsOfOwner): Omit<AdapterSessionMethods, 'getSessionAndUser'> {
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
    deleteSessionsByUserId: async (userId, exceptToken) => {
      const owner = lookupPart(userId);
      if (owner !== null) await deleteSessionsOfUser(store, owner, lookupPart(exceptToken));
    },
  };
}

async function replaceSession(
  store: Store,
  needsOf: NeedsOfOwner,
  old: string | undefined,
  session: AdapterSession,
): Promise<AdapterSession> {
  const { sessionToken } = session;
  const part = partOf(required('session.sessionToken', sessionToken));
  const owner = partOf(required('session.userId', session.userId));
  const row = sessionText(owner, instant('session.expires', session.expires), sessionMembers(session));
  const key = store.keys.of('session', part);
  const oldPart = lookupPart(old);
  return retry(async () => {
    const oldRow = oldPart === null ? null : await store.get(store.keys.of('session', oldPart));
    const itself = oldPart === part && oldRow !== null;
    const unmet = await store.commit([
      { need: needsOf(owner), write: [listed(store, part, row)] },
      { need: [itself ? ['is', key, oldRow] : ['absent', key]], write: put(store, part, row) },
      // If the old session does not exist any more, the new one is created all the same.
      ...(oldPart === null || oldRow === null || itself ? [] : removal(store, oldPart, ownerOf(oldRow), 'if there')),
    ]);
    if (unmet === null) {
      if (await isOwned(store, needsOf(owner))) return { done: readSession(sessionToken, row) };
      await store.commit(removal(store, part, owner, 'if there'));
    }
    if (unmet !== key) throw new RowNotFound('the user of the session does not exist');
    if (!itself) throw new UniqueViolation('session.sessionToken');
    return undefined;
  });
}

/** Checks again after several steps: a user who was deleted before the row existed leaves the row behind. */
async function isOwned(store: Store, needs: ReturnType<NeedsOfOwner>): Promise<boolean> {
  return store.keys.tag === 'all' || (await store.commit([{ need: needs, write: [] }])) === null;
}

async function updateSession(
  store: Store,
  session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
): Promise<AdapterSession | null> {
  const { sessionToken, userId, expires } = session;
  const newOwner = userId === undefined ? undefined : partOf(required('session.userId', userId));
  const newExpires = expires === undefined ? undefined : instant('session.expires', expires);
  const part = lookupPart(sessionToken);
  if (part === null) return null;
  const changes = sessionMembers(session);
  return retry(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null) return { done: null };
    const next = sessionText(newOwner ?? ownerOf(row), newExpires ?? new Date(markOf(row)), {
      ...membersOf(row),
      ...changes,
    });
    return (await replaced(store, part, row, next)) ? { done: readSession(sessionToken, next) } : undefined;
  });
}

/** Moves the expiry by compare-and-set: a session that was deleted meanwhile stays deleted. */
async function extendSession(store: Store, sessionToken: string, from: Date, to: Date): Promise<boolean> {
  const [before, after] = [instant('from', from), instant('to', to)];
  const part = lookupPart(sessionToken);
  if (part === null) return false;
  return retry(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null || markOf(row) !== before.getTime()) return { done: false };
    const next = sessionText(ownerOf(row), after, membersOf(row));
    return (await replaced(store, part, row, next)) ? { done: true } : undefined;
  });
}

/** Replaces a row, unless another client has deleted or changed it. Resolves to whether the row was replaced. */
async function replaced(store: Store, part: string, row: string, next: string): Promise<boolean> {
  const key = store.keys.of('session', part);
  const unlisted: Step[] =
    ownerOf(row) === ownerOf(next) ? [] : [{ write: [['unschedule', store.keys.of('sessions', ownerOf(row)), part]] }];
  const unmet = await store.commit([
    { write: [listed(store, part, next)] },
    { need: [['is', key, row]], write: put(store, part, next) },
    ...unlisted,
  ]);
  return unmet === null;
}

async function deleteSession(store: Store, part: string): Promise<string | null> {
  return retry(async () => {
    const row = await store.get(store.keys.of('session', part));
    if (row === null) return { done: null };
    const unmet = await store.commit(removal(store, part, ownerOf(row), 'or refuse'));
    return unmet === null ? { done: row } : undefined;
  });
}

/** Leaves entries without a session in the list: another client may be creating them, and they expire. */
async function deleteSessionsOfUser(store: Store, owner: string, except: string | null = null): Promise<number> {
  const all = await store.scheduled(store.keys.of('sessions', owner));
  const parts = all.filter((part) => part !== except);
  const unmet = await Promise.all(parts.map((part) => store.commit(removal(store, part, owner, 'or refuse'))));
  return unmet.filter((one) => one === null).length;
}

/**
 * Returns the steps that delete a session, expired or not. The row is deleted before its entry in the user's list.
 */
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

/** Adds a session to its user's list. This comes before the row, so the list never misses a session. */
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

/** Returns the members of a session's row. The expiry is the row's mark. */
function sessionMembers(session: Partial<AdapterSession>): Members {
  // The token is not stored: read access to Redis must not be enough to use a session.
  const { sessionToken: _, expires: __, ...members } = checked('session', fields.sessions, session, 'leave out');
  return members;
}

function sessionText(owner: string, expires: Date, members: Members): string {
  return rowText(owner, expires.getTime(), members);
}

function readSession(sessionToken: string, row: string): AdapterSession {
  const { userId, ...members } = membersOf<Omit<AdapterSession, 'sessionToken' | 'expires'>>(row);
  return { ...members, sessionToken, userId, expires: new Date(markOf(row)) };
}
