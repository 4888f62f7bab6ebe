import type { Adapter, AdapterSession } from '@latchkey/core/adapters';
import type { Kysely } from 'kysely';
import type { Dialect, Query, Row } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { statement } from '../statement.ts';
import type { Store } from '../store.ts';
import { dateIn, lookup, required, textOf } from '../values.ts';
import { changed, readUser, userColumns } from './users.ts';

/** Methods about sessions. */
export type SessionMethods = Required<
  Pick<
    Adapter,
    'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'replaceSession' | 'extendSession'
  >
>;

/** The sessions of a database. A row without expiry, or without a user that exists, is no session. */
export function sessionsOf(store: Store): SessionMethods {
  const { dialect, run } = store;
  const statements = statementsOf(store.write);

  /** Creates a session, after `before` and in one transaction with it. */
  async function create(session: AdapterSession, before: readonly Query[]): Promise<AdapterSession> {
    const row = sessionRow(dialect, session);
    const link = statements.insertLink({ id: crypto.randomUUID(), session: row.id });
    await store.batch([...before, statements.insert(row), link], (results) => {
      if (!results[before.length]?.length) throw new RowNotFound('there is no user of this id to create a session for');
    });
    return { sessionToken: row.sessionToken, userId: row.user, expires: new Date(session.expires) };
  }

  function deletion(sessionToken: unknown): Query[] {
    const key = { sessionToken: lookup(dialect, sessionToken) };
    return [statements.deleteLinks(key), statements.delete(key)];
  }

  return {
    createSession: (session) => create(session, []),
    getSessionAndUser: async (sessionToken) => {
      const [row] = await run(statements.withUser({ sessionToken: lookup(dialect, sessionToken) }));
      const session = row && readSession(dialect, row);
      return session ? { session, user: readUser(dialect, row) } : null;
    },
    updateSession: async (session) => {
      const change = sessionChange(dialect, session);
      const update = statements.update(change);
      const [rows = []] = change.has_user
        ? await store.batch([update, statements.updateLink(change)])
        : [await run(update)];
      return rows[0] ? readSession(dialect, rows[0]) : null;
    },
    deleteSession: async (sessionToken) => {
      const [row] = (await store.batch(deletion(sessionToken))).at(-1) ?? [];
      return row ? readSession(dialect, row) : null;
    },
    replaceSession: (old, session) => create(session, old === undefined ? [] : deletion(old)),
    extendSession: async ({ sessionToken, from, to }) => {
      const rows = await run(
        statements.extend({
          sessionToken: lookup(dialect, sessionToken),
          from: dateIn(dialect, 'from', from),
          to: dateIn(dialect, 'to', to),
        }),
      );
      return rows.length > 0;
    },
  };
}

type Key = { sessionToken: string | null };
type SessionRow = { id: string; sessionToken: string; user: string; expires: string };
type Change = Key & { expires: string | null; has_expires: number; user: string | null; has_user: number };

function sessionRow(dialect: Dialect, { sessionToken, userId, expires }: AdapterSession): SessionRow {
  return {
    id: crypto.randomUUID(),
    sessionToken: required(dialect, 'session.sessionToken', sessionToken),
    user: required(dialect, 'session.userId', userId),
    expires: dateIn(dialect, 'session.expires', expires),
  };
}

function sessionChange(dialect: Dialect, { sessionToken, userId, expires }: Partial<AdapterSession>): Change {
  return {
    sessionToken: lookup(dialect, sessionToken),
    expires: expires === undefined ? null : dateIn(dialect, 'session.expires', expires),
    has_expires: expires === undefined ? 0 : 1,
    user: userId === undefined ? null : required(dialect, 'session.userId', userId),
    has_user: userId === undefined ? 0 : 1,
  };
}

function readSession(dialect: Dialect, row: Row): AdapterSession | null {
  const sessionToken = textOf(row, 'sessionToken');
  const userId = textOf(row, 'userId');
  const expires = dialect.dateOut(row['expires']);
  return sessionToken !== null && userId !== null && expires ? { sessionToken, userId, expires } : null;
}

function statementsOf(write: Kysely<Tables>) {
  const columns = ['auth_sessions.sessionToken', 'auth_sessions.user as userId', 'auth_sessions.expires'] as const;
  const idOf = (sessionToken: string | null) =>
    write.selectFrom('auth_sessions').select('id').where('sessionToken', '=', sessionToken);

  return {
    // Inserts nothing when there is no such user.
    insert: statement<SessionRow>((slot) =>
      write
        .insertInto('auth_sessions')
        .columns(['id', 'sessionToken', 'expires', 'user'])
        .expression(
          write
            .selectFrom('auth_users')
            .select((value) => [
              value.val(slot('id')).as('session'),
              value.val(slot('sessionToken')).as('sessionToken'),
              value.val(slot('expires')).as('expires'),
              'auth_users.id',
            ])
            .where('auth_users.id', '=', slot('user')),
        )
        .returning('id'),
    ),
    insertLink: statement<{ id: string; session: string }>((slot) =>
      write
        .insertInto('auth_users_sessions')
        .columns(['id', 'session', 'user'])
        .expression(
          write
            .selectFrom('auth_sessions')
            .select((value) => [value.val(slot('id')).as('link'), 'auth_sessions.id', 'auth_sessions.user'])
            .where('auth_sessions.id', '=', slot('session')),
        ),
    ),
    withUser: statement<Key>((slot) =>
      write
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user')
        .select([...columns, ...userColumns])
        .where('auth_sessions.sessionToken', '=', slot('sessionToken')),
    ),
    update: statement<Change>((slot) =>
      write
        .updateTable('auth_sessions')
        .set({
          expires: changed('expires', slot('has_expires'), slot('expires')),
          user: changed('user', slot('has_user'), slot('user')),
        })
        .where('sessionToken', '=', slot('sessionToken'))
        .returning(columns),
    ),
    updateLink: statement<Change>((slot) =>
      write
        .updateTable('auth_users_sessions')
        .set({ user: slot('user') })
        .where('session', 'in', idOf(slot('sessionToken'))),
    ),
    extend: statement<Key & { from: string; to: string }>((slot) =>
      write
        .updateTable('auth_sessions')
        .set({ expires: slot('to') })
        .where('sessionToken', '=', slot('sessionToken'))
        .where('expires', '=', slot('from'))
        .returning('id'),
    ),
    deleteLinks: statement<Key>((slot) =>
      write.deleteFrom('auth_users_sessions').where('session', 'in', idOf(slot('sessionToken'))),
    ),
    delete: statement<Key>((slot) =>
      write.deleteFrom('auth_sessions').where('sessionToken', '=', slot('sessionToken')).returning(columns),
    ),
  };
}
