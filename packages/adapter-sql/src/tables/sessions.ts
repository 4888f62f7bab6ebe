import type { AdapterSession, AdapterSessionMethods } from '@latchkey/core/adapters';
import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from '../codec.ts';
import type { Row, Step } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { linksOf } from '../links.ts';
import { isFoundBy, type StoredForms } from '../session-tokens.ts';
import { type SlotOf, type Statement, statement } from '../statement.ts';
import { type DeletedRow, deleteReturning, newId, runAll, type Store, withStamps } from '../store.ts';
import { changeOf, insertForUser, updateOf } from '../writes.ts';
import { readUser } from './users.ts';

/**
 * Returns the methods about sessions. A row without an expiry, or whose user does not exist, is not a session. All
 * methods take and return the token of the cookie, also if the row has its hash.
 */
export function sessionsOf(store: Store): AdapterSessionMethods {
  const { run, sessionTokens } = store;
  const sessions = store.table('sessions');
  const statements = statementsOf(store);

  async function keyOf(sessionToken: unknown): Promise<StoredForms> {
    const token = sessions.lookup('sessionToken', sessionToken);
    return typeof token === 'string' ? sessionTokens.formsOf(token) : NO_ROW;
  }

  /** Runs the steps `before` and creates a session, in one transaction. */
  async function create(session: AdapterSession, before: readonly Step[]): Promise<AdapterSession> {
    const row = sessionRow(store, session);
    row['sessionToken'] = await sessionTokens.toStore(session.sessionToken);
    await runAll(store, [...before, statements.insert(row), ...statements.link(row)], (results) => {
      if (!results[before.length]?.affected)
        throw new RowNotFound('the session cannot be created: no user has this id');
    });
    const { sessionToken, userId, expires } = session;
    return { sessionToken, userId, expires: new Date(expires) };
  }

  async function deletion(sessionToken: unknown): Promise<DeletedRow> {
    const key = await keyOf(sessionToken);
    const deleted = deleteReturning(store.dialect, statements.deletion, key);
    return { ...deleted, steps: [...statements.unlink(key), ...deleted.steps] };
  }

  return {
    createSession: (session) => create(session, []),
    getSessionAndUser: async (sessionToken) => {
      const key = await keyOf(sessionToken);
      const [row] = (await run(statements.withUser(key))).rows;
      if (!row || !isFoundBy(key, String(row['sessionToken']))) return null;
      const session = readSession(store, row, sessionToken);
      return session && { session, user: readUser(store, row) };
    },
    updateSession: async (session) => {
      const key = await keyOf(session.sessionToken);
      const change = { ...changeOf(store, sessions, { ...session, sessionToken: undefined }, {}), ...key };
      const owner = session.userId === undefined ? [] : statements.relink(change);
      const results = await runAll(store, [...owner, ...statements.update(change)]);
      const [row] = results.at(-1)?.rows ?? [];
      return row ? readSession(store, row, session.sessionToken) : null;
    },
    deleteSession: async (sessionToken) => {
      const deleted = await deletion(sessionToken);
      const row = deleted.row(await runAll(store, deleted.steps));
      return row ? readSession(store, row, sessionToken) : null;
    },
    replaceSession: async (old, session) => create(session, old === undefined ? [] : (await deletion(old)).steps),
    extendSession: async ({ sessionToken, from, to }) => {
      const extension = {
        ...(await keyOf(sessionToken)),
        from: sessions.required('expires', 'from', from),
        to: sessions.required('expires', 'to', to),
      };
      return (await run(statements.extend(withStamps(store, sessions, extension)))).affected > 0;
    },
    deleteSessionsByUserId: async (userId, exceptToken) => {
      const key = { ...(await keyOf(exceptToken)), userId: sessions.lookup('userId', userId) };
      await runAll(
        store,
        statements.deleteOthers.map((statement) => statement(key)),
      );
    },
  };
}

const NO_ROW: StoredForms = { sessionToken: null, hashed: null };

function sessionRow(store: Store, session: AdapterSession): Encoded {
  const sessions = store.table('sessions');
  return withStamps(store, sessions, {
    ...sessions.encode(session, ['sessionToken', 'userId', 'expires']),
    // The new row is linked by the one form of the token that it has.
    hashed: null,
    id: newId(store),
    link: newId(store),
  });
}

/** @param token The token by which the row was found. The row may have its hash. */
function readSession(store: Store, row: Row, token: string): AdapterSession | null {
  const { sessionToken, userId, expires } = store.table('sessions').read(row);
  return sessionToken !== null && userId !== null && expires ? { sessionToken: token, userId, expires } : null;
}

function statementsOf(store: Store) {
  const { write } = store;
  const [sessions, users] = [store.table('sessions'), store.table('users')];
  const { readsHashes, writesHashes } = store.sessionTokens;
  const isRow = (slot: SlotOf<Encoded>) =>
    readsHashes
      ? sessions.isOneOf('sessionToken', [slot('sessionToken'), slot('hashed')])
      : sessions.is('sessionToken', slot('sessionToken'));
  const remove = (slot: SlotOf<Encoded>) => write.deleteFrom(sessions.name).where(isRow(slot));

  return {
    insert: insertForUser(store, sessions),
    withUser: statement<Encoded>((slot) =>
      write
        .selectFrom(sessions.name)
        .innerJoin(users.name, (join) => join.on(users.ref('id'), '=', sessions.ref('userId')))
        .select([...sessions.selectAll(), ...users.selectAll()])
        .where(isRow(slot)),
    ),
    update: updateOf(store, sessions, {
      fields: sessions.fields.filter((field) => field !== 'sessionToken'),
      isRow,
      returnsRow: true,
    }),
    extend: statement<Encoded>((slot) =>
      write
        .updateTable(sessions.name)
        .set({
          [sessions.column('expires')]: slot('to'),
          ...(writesHashes && { [sessions.column('sessionToken')]: slot('hashed') }),
          ...Object.fromEntries(sessions.stamps.updated.map((column) => [column, slot('now')])),
        })
        .where(isRow(slot))
        .where(sessions.isAt('expires', slot('from'))),
    ),
    deletion: {
      select: statement<Encoded>((slot) =>
        write.selectFrom(sessions.name).select(sessions.selectAll()).where(isRow(slot)).forUpdate(),
      ),
      delete: statement<Encoded>((slot) => remove(slot)),
      returning: statement<Encoded>((slot) => remove(slot).returning(sessions.selectAll())),
    },
    deleteOthers: deleteOthers(store, isRow),
    ...linksOf(store, { table: 'userSessions', field: 'sessionId', of: 'sessions' }, isRow),
  };
}

/** Compiles the statements that delete the sessions of a user, except the row that `isRow` matches. */
function deleteOthers(store: Store, isRow: (slot: SlotOf<Encoded>) => RawBuilder<boolean>): Statement<Encoded>[] {
  const { write } = store;
  const [sessions, links] = [store.table('sessions'), store.optionalTable('userSessions')];
  // If no session is excepted, the row is compared with `null`, which equals nothing.
  const rows = statement<Encoded>((slot) =>
    write
      .deleteFrom(sessions.name)
      .where(sessions.is('userId', slot('userId')))
      .where(sql<boolean>`not coalesce(${isRow(slot)}, false)`),
  );
  if (!links) return [rows];
  const ofRow = (slot: SlotOf<Encoded>) =>
    sql`select ${sessions.ref('id')} from ${sql.table(sessions.name)} where ${isRow(slot)}`;
  const linksOfRows = statement<Encoded>((slot) =>
    write
      .deleteFrom(links.name)
      .where(links.is('userId', slot('userId')))
      .where(sql<boolean>`${links.ref('sessionId')} not in (${ofRow(slot)})`),
  );
  return [linksOfRows, rows];
}
