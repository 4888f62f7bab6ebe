import { SqlAdapter } from '../../src/index.ts';
import { answers } from './answers.ts';
import { type KindName, poolOf } from './pools.ts';

/** A program with a pool and an adapter, without code for faults. */

const [kind, url = ''] = process.argv.slice(2);
const pool = poolOf(kind as KindName, url);
const adapter = SqlAdapter(pool.db);
const email = 'survivor@example.com';
const account = { provider: 'fake', providerAccountId: '1', type: 'oauth', userId: 'survivor' } as const;

answers(async () => {
  // Four simultaneous calls, so that four connections are idle afterwards.
  const [found] = await Promise.all(Array.from({ length: 4 }, () => adapter.getUserByEmail(email)));
  const user = found ?? (await adapter.createUserWithAccount({ id: 'survivor', email, emailVerified: null }, account));
  return user.email;
}, pool.close);
