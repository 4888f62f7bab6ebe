import type { Adapter, AdapterSession } from '@latchkey/core/adapters';
import type { Encoded } from '../codec.ts';
import type { Row, Step } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { linksOf } from '../links.ts';
import { type SlotOf, statement } from '../statement.ts';
import { type DeletedRow, deleteReturning, newId, runAll, type Store, withStamps } from '../store.ts';
import { changeOf, insertForUser, updateOf } from '../writes.ts';
import { readUser } from './users.ts';

/** The adapter's methods about sessions. */
export type SessionMethods = Required<
  Pick<
    Adapter,
    'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'replaceSession' | 'extendSession'
  >
>;

/** Returns the methods about sessions. A row without an expiry, or whose user does not exist, is not a session. */
export function sessionsOf(store: Store): SessionMethods {
  const { run } = store;
  const sessions = store.table('sessions');
  const statements = statementsOf(store);

  /** Runs the steps `before` and creates a session, in one transaction. */
  async function create(session: AdapterSession, before: readonly Step[]): Promise<AdapterSession> {
    const row = sessionRow(store, session);
    await runAll(store, [...before, statements.insert(row), ...statements.link(row)], (results) => {
      if (!results[before.length]?.affected)
        throw new RowNotFound('the session cannot be created: no user has this id');
    });
    const { sessionToken, userId, expires } = session;
    return { sessionToken, userId, expires: new Date(expires) };
  }

  function deletion(sessionToken: unknown): DeletedRow {
    const key = { sessionToken: sessions.lookup('sessionToken', sessionToken) };
    const deleted = deleteReturning(store.dialect, statements.deletion, key);
    return { ...deleted, steps: [...statements.unlink(key), ...deleted.steps] };
  }

  return {
    createSession: (session) => create(session, []),
    getSessionAndUser: async (sessionToken) => {
      const query = statements.withUser({ sessionToken: sessions.lookup('sessionToken', sessionToken) });
      const [row] = (await run(query)).rows;
      const session = row && readSession(store, row);
      return session ? { session, user: readUser(store, row) } : null;
    },
    updateSession: async (session) => {
      const key = { sessionToken: sessions.lookup('sessionToken', session.sessionToken) };
      const change = { ...changeOf(store, sessions, { ...session, sessionToken: undefined }, key), ...key };
      const owner = session.userId === undefined ? [] : statements.relink(change);
      const results = await runAll(store, [...owner, ...statements.update(change)]);
      const [row] = results.at(-1)?.rows ?? [];
      return row ? readSession(store, row) : null;
    },
    deleteSession: async (sessionToken) => {
      const deleted = deletion(sessionToken);
      const row = deleted.row(await runAll(store, deleted.steps));
      return row ? readSession(store, row) : null;
    },
    replaceSession: (old, session) => create(session, old === undefined ? [] : deletion(old).steps),
    extendSession: async ({ sessionToken, from, to }) => {
      const extension = {
        sessionToken: sessions.lookup('sessionToken', sessionToken),
        from: sessions.required('expires', 'from', from),
        to: sessions.required('expires', 'to', to),
      };
      return (await run(statements.extend(withStamps(store, sessions, extension)))).affected > 0;
    },
  };
}

function sessionRow(store: Store, session: AdapterSession): Encoded {
  const sessions = store.table('sessions');
  return withStamps(store, sessions, {
    ...sessions.encode(session, ['sessionToken', 'userId', 'expires']),
    id: newId(store),
    link: newId(store),
  });
}

function readSession(store: Store, row: Row): AdapterSession | null {
  const { sessionToken, userId, expires } = store.table('sessions').read(row);
  return sessionToken !== null && userId !== null && expires ? { sessionToken, userId, expires } : null;
}

function statementsOf(store: Store) {
  const { write } = store;
  const [sessions, users] = [store.table('sessions'), store.table('users')];
  const isRow = (slot: SlotOf<Encoded>) => sessions.is('sessionToken', slot('sessionToken'));
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
      key: ['sessionToken'],
      returnsRow: true,
    }),
    extend: statement<Encoded>((slot) =>
      write
        .updateTable(sessions.name)
        .set({
          [sessions.column('expires')]: slot('to'),
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
    ...linksOf(store, { table: 'userSessions', field: 'sessionId', of: 'sessions' }, isRow),
  };
}
