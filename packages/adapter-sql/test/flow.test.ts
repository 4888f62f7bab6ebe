import { beforeAll, describe, expect, it } from 'vitest';
import { SqlAdapter } from '../src/index.ts';
import { application } from './application.ts';
import { type Counted, counted } from './counted.ts';
import { placeOf, places } from './place.ts';

describe.each(places)('an application on $name', (kind) => {
  const place = placeOf(kind);

  it('signs in, shows the session, and signs out', async () => {
    const { errors, visitor, post, signIn, session } = application(place.adapter);
    const browser = visitor();
    await signIn(browser);
    expect(await session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    const rows = { auth_users: 1, auth_accounts: 1, auth_users_accounts: 1 };
    // The state of the sign-in, which is answered once.
    const spent = { auth_verificationTokens: 1 };
    expect(await place.counts()).toEqual({ ...rows, ...spent, auth_sessions: 1, auth_users_sessions: 1 });
    await post(browser, 'signout');
    expect(await session(browser)).toBeNull();
    expect(await place.counts()).toEqual({ ...rows, ...spent });
    expect(errors).toEqual([]);
  });

  it('signs in by a mailed link, and notes when the address was proven', async () => {
    const { errors, visitor, mailedLink, session } = application(place.adapter);
    const browser = visitor();
    await browser.get(await mailedLink(browser, 'grace@example.com'), { site: 'cross-site' });
    expect(await session(browser)).toMatchObject({ user: { email: 'grace@example.com' } });
    expect((await place.adapter.getUserByEmail('grace@example.com'))?.emailVerified).toBeInstanceOf(Date);
    expect(await place.counts()).toEqual({ auth_users: 1, auth_sessions: 1, auth_users_sessions: 1 });
    expect(errors).toEqual([]);
  });
});

// Kysely runs its statements on a driver: those of the drivers are counted below.
describe.each(places.filter(({ name }) => !name.startsWith('Kysely')))('an application on $name', (kind) => {
  const place = placeOf(kind);
  let watched: Counted<object>;
  let adapter: SqlAdapter;

  beforeAll(async () => {
    watched = counted(place.db);
    adapter = SqlAdapter(watched.db as typeof place.db);
    // The migration, and what an engine finds out at its first transaction, are done before anything is counted.
    await adapter.deleteUser('nobody');
  });

  it('needs one query for a session, and few statements for a sign-in', async () => {
    const { visitor, signIn, session, post } = application(adapter);
    const [first, second] = [visitor(), visitor()];
    expect(await session(first)).toBeNull();
    watched.statements();
    await signIn(first);
    expectAtMost(9, watched.statements());
    await signIn(second);
    expectAtMost(6, watched.statements());
    expect(await session(second)).not.toBeNull();
    expectAtMost(1, watched.statements());
    await post(second, 'signout');
    expectAtMost(4, watched.statements());
    expect(await session(first)).not.toBeNull();
    expect(watched.statements()).toHaveLength(1);
  });

  it('needs some more where the visitor was signed in already', async () => {
    const { visitor, signIn, session } = application(adapter);
    const browser = visitor();
    await signIn(browser);
    watched.statements();
    await signIn(browser);
    // The session is read when the flow begins and when it ends; then its row and its link go.
    expectAtMost(kind.dialect === 'mysql' ? 11 : 10, watched.statements());
    expect(await session(browser)).not.toBeNull();
    expect(await place.counts()).toMatchObject({ auth_sessions: 1, auth_users_sessions: 1 });
  });
});

function expectAtMost(number: number, statements: readonly string[]): void {
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(number);
  expect(statements.length).toBeGreaterThan(0);
}
