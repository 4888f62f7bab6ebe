import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Adapter } from '@latchkey/core/adapters';
import type { User } from '@latchkey/core/types';

/** Who can sign in without the provider, and what is printed about it. */
export const demoUser = { login: 'demo', password: 'password', name: 'Demo User', email: 'demo@example.com' };

// An application has salt and hash from its database, and the password from nowhere.
const salt = randomBytes(16);
const hash = scryptSync(demoUser.password, salt, 32);

/** What is needed of an adapter here. */
type Users = Required<Pick<Adapter, 'createUser' | 'getUserByEmail'>>;

/** Makes sure that the user is in the store: a database session is a row that belongs to another one. */
export async function storeDemoUser(adapter: Users): Promise<void> {
  const { name, email } = demoUser;
  if (await adapter.getUserByEmail(email)) return;
  await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: null });
}

/** The stored user with that login and password, or `null`. */
export async function findDemoUser(adapter: Users, login: unknown, password: unknown): Promise<User | null> {
  if (typeof login !== 'string' || typeof password !== 'string') return null;
  const isRight = timingSafeEqual(scryptSync(password, salt, 32), hash);
  return isRight && login.trim().toLowerCase() === demoUser.login ? adapter.getUserByEmail(demoUser.email) : null;
}
