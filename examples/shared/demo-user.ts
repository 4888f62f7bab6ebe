import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Adapter } from '@latchkey/core/adapters';
import type { User } from '@latchkey/core/types';

/** The user who can sign in with a password. */
export const demoUser = { login: 'demo', password: 'password', name: 'Demo User', email: 'demo@example.com' };

// A real application stores salt and hash in its database, and does not know the password.
const salt = randomBytes(16);
const hash = scryptSync(demoUser.password, salt, 32);

/** The methods of an adapter that the demo user needs. */
type Users = Required<Pick<Adapter, 'createUser' | 'getUserByEmail'>>;

/** Creates the user unless the store has it: a database session needs a stored user. */
export async function storeDemoUser(adapter: Users): Promise<void> {
  const { name, email } = demoUser;
  if (await adapter.getUserByEmail(email)) return;
  await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: null });
}

/** Returns the stored user with this login and password, or `null`. */
export async function findDemoUser(adapter: Users, login: unknown, password: unknown): Promise<User | null> {
  if (typeof login !== 'string' || typeof password !== 'string') return null;
  const isRight = timingSafeEqual(scryptSync(password, salt, 32), hash);
  return isRight && login.trim().toLowerCase() === demoUser.login ? adapter.getUserByEmail(demoUser.email) : null;
}
