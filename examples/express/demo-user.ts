import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { User } from '@latchkey/express';

/** Who can sign in without the provider, and what is printed about it. */
export const demoUser = { login: 'demo', password: 'password', name: 'Demo User' };

const user: User = { id: 'demo', name: demoUser.name, email: 'demo@example.com' };
// An application has salt and hash from its database, and the password from nowhere.
const salt = randomBytes(16);
const hash = scryptSync(demoUser.password, salt, 32);

/** The user with that login and password, or `null`. */
export function findDemoUser(login: unknown, password: unknown): User | null {
  if (typeof login !== 'string' || typeof password !== 'string') return null;
  const isRight = timingSafeEqual(scryptSync(password, salt, 32), hash);
  return isRight && login.trim().toLowerCase() === demoUser.login ? user : null;
}
