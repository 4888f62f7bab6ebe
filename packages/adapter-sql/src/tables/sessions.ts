import type { Adapter, AdapterSession } from '@latchkey/core/adapters';
import { type Encoded, idOf, textOf } from '../codec.ts';
import type { Row, Step } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { insertForUser, stamped } from '../insert.ts';
import { linksOf } from '../links.ts';
import { type SlotOf, statement } from '../statement.ts';
import { newId, runAll, type Store, type Taking, taking } from '../store.ts';
import { changeOf, changes } from '../update.ts';
import { readUser, userFields } from './users.ts';

/** Methods about sessions. */
export type SessionMethods = Required<
  Pick<
    Adapter,
    'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'replaceSession' | 'extendSession'
  >
>;

const FIELDS = ['sessionToken', 'userId', 'expires'] as const;

/** The sessions of a database. A row without expiry, or without a user that exists, is no session. */
export function sessionsOf(store: Store): SessionMethods {
  const { run } = store;
  const sessions = store.table('sessions');
  const statements = statementsOf(store);

  /** Creates a session, after `before` and in one transaction with it. */
  async function create(session: AdapterSession, before: readonly Step[]): Promise<AdapterSession> {
    const row = sessionRow(store, session);
    await runAll(store, [...before, statements.insert(row), ...statements.link(row)], (results) => {
      if (!results[before.length]?.affected)
        throw new RowNotFound('there is no user of this id to create a session for');
    });
    const { sessionToken, userId } = session;
    return { sessionToken, userId, expires: new Date(session.expires) };
  }

  function deletion(sessionToken: unknown): Taking {
    const key = { sessionToken: sessions.lookup('sessionToken', sessionToken) };
    const taken = taking(store.dialect, statements.deletion, key);
    return { ...taken, steps: [...statements.unlink(key), ...taken.steps] };
  }

  return {
    createSession: (session) => create(session, []),
    getSessionAndUser: async (sessionToken) => {
      const [row] = (await run(statements.withUser({ sessionToken: sessions.lookup('sessionToken', sessionToken) })))
        .rows;
      const session = row && readSession(store, row);
      return session ? { session, user: readUser(store, row) } : null;
    },
    updateSession: async (session) => {
      const key: Encoded = { sessionToken: sessions.lookup('sessionToken', session.sessionToken) };
      const change: Encoded = { ...changeOf(store, sessions, session, CHANGEABLE, key), ...key };
      const owner = change['has_userId'] ? statements.relink(change) : [];
      const results = await runAll(store, [...owner, ...statements.update(change)]);
      const [row] = results.at(-1)?.rows ?? [];
      return row ? readSession(store, row) : null;
    },
    deleteSession: async (sessionToken) => {
      const taken = deletion(sessionToken);
      const row = taken.row(await runAll(store, taken.steps));
      return row ? readSession(store, row) : null;
    },
    replaceSession: (old, session) => create(session, old === undefined ? [] : deletion(old).steps),
    extendSession: async ({ sessionToken, from, to }) => {
      const { affected } = await run(
        statements.extend({
          sessionToken: sessions.lookup('sessionToken', sessionToken),
          from: sessions.required('expires', 'from', from),
          to: sessions.required('expires', 'to', to),
          ...stamped(store, sessions, {}),
        }),
      );
      return affected > 0;
    },
  };
}

const CHANGEABLE = ['expires', 'userId'] as const;

function sessionRow(store: Store, { sessionToken, userId, expires }: AdapterSession): Encoded {
  const sessions = store.table('sessions');
  const ids = { ids: store.shape.ids, codec: store.codec };
  const row = {
    id: newId(ids),
    link: newId(ids),
    sessionToken: sessions.required('sessionToken', 'session.sessionToken', sessionToken),
    userId: sessions.required('userId', 'session.userId', userId),
    expires: sessions.required('expires', 'session.expires', expires),
  };
  return { ...row, ...stamped(store, sessions, {}) };
}

function readSession(store: Store, row: Row): AdapterSession | null {
  const sessionToken = textOf(row, 'sessionToken');
  const userId = idOf(row, 'userId');
  const expires = store.codec.dateOf(row, 'expires');
  return sessionToken !== null && userId !== null && expires ? { sessionToken, userId, expires } : null;
}

function statementsOf(store: Store) {
  const { write } = store;
  const [sessions, users] = [store.table('sessions'), store.table('users')];
  const isKey = (slot: SlotOf<Encoded>) => sessions.is('sessionToken', slot('sessionToken'));
  const read = sessions.read(...FIELDS);
  const deleted = (slot: SlotOf<Encoded>) => write.deleteFrom(sessions.name).where(isKey(slot));

  return {
    insert: insertForUser(store, sessions, ['id', 'sessionToken', 'expires']),
    withUser: statement<Encoded>((slot) =>
      write
        .selectFrom(sessions.name)
        .innerJoin(users.name, (join) => join.on(users.ref('id'), '=', sessions.ref('userId')))
        .select([...read, ...users.read(...userFields)])
        .where(isKey(slot)),
    ),
    update: changes(store, sessions, { fields: CHANGEABLE, key: ['sessionToken'], returned: FIELDS }),
    extend: statement<Encoded>((slot) =>
      write
        .updateTable(sessions.name)
        .set({
          [sessions.column('expires')]: slot('to'),
          ...Object.fromEntries(sessions.stamps.updated.map((column) => [column, slot('now')])),
        })
        .where(isKey(slot))
        .where(sessions.isAt('expires', slot('from'))),
    ),
    deletion: {
      select: statement<Encoded>((slot) => write.selectFrom(sessions.name).select(read).where(isKey(slot)).forUpdate()),
      delete: statement<Encoded>((slot) => deleted(slot)),
      returning: statement<Encoded>((slot) => deleted(slot).returning(read)),
    },
    ...linksOf(store, { table: 'userSessions', field: 'sessionId', of: 'sessions' }, isKey),
  };
}
