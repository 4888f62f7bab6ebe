import type { Adapter } from '@latchkey/core/adapters';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import { statement } from './statement.ts';
import type { Store } from './store.ts';
import { dateIn } from './values.ts';

/** Rows deleted in one transaction; between two, others get their turn. */
const BATCH = 500;

/**
 * Makes `cleanup`: deletes sessions, verification tokens and spent keys that have expired, with their links. Rows without
 * expiry are left alone. Call it from a timer or a job, say once an hour; nothing depends on when.
 */
export function cleanupOf(store: Store): NonNullable<Adapter['cleanup']> {
  const statements = statementsOf(store.write);

  return async () => {
    const expired = { now: dateIn(store.dialect, 'now', store.now()) };
    let deleted = 0;
    for (;;) {
      const [, sessions = [], tokens = []] = await store.batch([
        statements.links(expired),
        statements.sessions(expired),
        statements.tokens(expired),
      ]);
      deleted += sessions.length + tokens.length;
      if (sessions.length < BATCH && tokens.length < BATCH) return deleted;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
}

type Expired = { now: string };

function statementsOf(write: Kysely<Tables>) {
  const expiredIn = (table: 'auth_sessions' | 'auth_verificationTokens', now: string) =>
    write.selectFrom(table).select('id').where('expires', '<', now).orderBy('expires').orderBy('id').limit(BATCH);

  return {
    links: statement<Expired>((slot) =>
      write.deleteFrom('auth_users_sessions').where('session', 'in', expiredIn('auth_sessions', slot('now'))),
    ),
    sessions: statement<Expired>((slot) =>
      write
        .deleteFrom('auth_sessions')
        .where('id', 'in', expiredIn('auth_sessions', slot('now')))
        .returning('id'),
    ),
    tokens: statement<Expired>((slot) =>
      write
        .deleteFrom('auth_verificationTokens')
        .where('id', 'in', expiredIn('auth_verificationTokens', slot('now')))
        .returning('id'),
    ),
  };
}
