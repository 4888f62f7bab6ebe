import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { SqlAdapter } from '../../src/index.ts';
import { later } from '../samples.ts';

it('a key is spent once, even if rows of the application prevent the unique index', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec(`
    create table users (id integer primary key, name text, email text, "emailVerified" text, image text);
    create table accounts (id integer primary key, "userId" integer, type text, provider text, "providerAccountId" text,
      refresh_token text, access_token text, expires_at integer, id_token text, scope text, session_state text, token_type text);
    create table sessions (id integer primary key, "userId" integer, expires text, "sessionToken" text);
    create table verification_token (identifier text, expires text, token text);
    insert into verification_token values ('a', '2020-01-01T00:00:00.000Z', 't'), ('a', '2020-01-01T00:00:00.000Z', 't');`);
  const adapter = SqlAdapter(db, { schema: 'pg-adapter', onDuplicates: () => undefined });
  expect(await adapter.spendOnce('flow', later)).toBe(true);
  expect(await adapter.spendOnce('flow', later)).toBe(false);
});

it('a spent key stays spent when tokens are deleted under the identifier of its row', async () => {
  const adapter = SqlAdapter(new DatabaseSync(':memory:'));
  await adapter.spendOnce('flow', later);
  await adapter.deleteVerificationTokens({ identifier: 'latchkey:spent' });
  expect(await adapter.spendOnce('flow', later)).toBe(false);
});
