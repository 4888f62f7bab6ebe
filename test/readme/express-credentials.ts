import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import Credentials from '@latchkey/express/providers/credentials';
import GitHub from '@latchkey/express/providers/github';
import express from 'express';

const db = new DatabaseSync(':memory:');
db.exec('create table if not exists passwords (userId text primary key, salt text, hash text)');
export const adapter = SqlAdapter(db);

const hashOf = promisify<string, string, number, Buffer>(scrypt);

/** Sets the password of a user, for example of one that `adapter.createUser` has made. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const salt = randomBytes(16).toString('base64');
  const hash = await hashOf(password, salt, 32);
  db.prepare('insert or replace into passwords values (?, ?, ?)').run(userId, salt, hash.toString('base64'));
}

async function userWith(email: string, password: string) {
  const user = await adapter.getUserByEmail(email.trim().toLowerCase());
  const kept = db.prepare('select salt, hash from passwords where userId = ?').get(user?.id ?? '');
  // Hashes for unknown users, too, so that the response time does not reveal who has an account.
  const hash = await hashOf(password, String(kept?.salt), 32);
  return kept && timingSafeEqual(hash, Buffer.from(String(kept.hash), 'base64')) ? user : null;
}

const config = {
  adapter,
  session: { strategy: 'jwt' },
  providers: [
    GitHub,
    Credentials({
      credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
      authorize: ({ email, password }) => userWith(String(email), String(password)),
    }),
  ],
} satisfies ExpressAuthConfig;

export const app = express();
app.use('/auth', ExpressAuth(config));

app.get('/', async (req, res) => {
  const session = await getSession(req, config);
  if (session) res.type('text').send(`Hello ${session.user?.email}`);
  else res.send('<a href="/auth/signin">Sign in</a>');
});
