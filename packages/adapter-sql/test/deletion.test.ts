import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { RowNotFound } from '../src/index.ts';
import { application } from './application.ts';
import { dialectPlaces, type Place, placeOf, places } from './place.ts';
import { ada, bob, github, later, passkey } from './samples.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };

describe.each(dialectPlaces)('deleting a user on $name', (kind) => {
  const place = placeOf(kind);

  it('leaves no rows of simultaneous sign-ins', async () => {
    const { adapter } = place;
    await adapter.createUser(bob);
    for (let round = 0; round < 10; round++) {
      await adapter.createUser(ada);
      const writes = [
        () => adapter.linkAccount(github),
        () => adapter.createSession(session),
        () => adapter.replaceSession('s', { ...session, sessionToken: 'other' }),
        () => adapter.createAuthenticator(passkey),
        () => adapter.linkAccount({ ...github, provider: 'gitlab' }),
      ];
      writes.splice(round % 6, 0, () => adapter.deleteUser('ada') as Promise<never>);
      const settled = await Promise.allSettled(writes.map(async (write) => write()));
      const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(failures.filter((error) => !(error instanceof RowNotFound))).toEqual([]);
      expect(await place.counts(), `round ${round}`).toEqual({ auth_users: 1 });
    }
    expect(await adapter.getUser('bob')).toEqual(bob);
  });

  it('leaves no rows of a sign-in flow that has begun', async () => {
    const { visitor, signIn, session } = application(place.adapter);
    const browsers = Array.from({ length: 10 }, () => visitor());
    await signIn(browsers[0] as (typeof browsers)[0]);
    const [user] = await place.rows(sql`select id from auth_users`);
    await Promise.all([
      ...browsers.map((browser) => signIn(browser)),
      (async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return place.adapter.deleteUser(String(user?.['id']));
      })(),
    ]);
    const left = await place.counts();
    expect(await place.adapter.getUser(String(user?.['id']))).toBeNull();
    // A sign-in after the deletion creates a new user with one account.
    expect([left['auth_users'] ?? 0, left['auth_accounts'] ?? 0]).toEqual(left['auth_users'] ? [1, 1] : [0, 0]);
    expect(left['auth_sessions']).toBe(left['auth_users_sessions']);
    const owners = await place.rows(sql`select distinct ${sql.ref('user')} as id from auth_sessions`);
    expect(owners.filter(({ id }) => id === user?.['id'])).toEqual([]);
    for (const browser of browsers) if (!(await session(browser))) await signIn(browser);
    expect((await Promise.all(browsers.map(session))).filter((one) => one === null)).toEqual([]);
  });
});

describe.each(places.filter(({ name }) => name === 'pg' || name === 'mysql2'))('deleting a user on $name', (kind) => {
  const place = placeOf(kind);
  const share = kind.dialect === 'mysql' ? 'lock in share mode' : 'for key share';

  it('waits for an open transaction that links an account, and deletes the account', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    // The lock of `linkAccount` allows further links, and prevents the deletion of the user.
    const end = await holding(place, `select id from auth_users where id = 'ada' ${share}`);
    await adapter.linkAccount(github);
    const deleting = adapter.deleteUser('ada');
    expect(await Promise.race([deleting, soon('it waits')])).toBe('it waits');
    await end();
    expect(await deleting).toEqual(ada);
    expect(await place.counts()).toEqual({});
  });

  it('makes a new link wait, which then finds no user', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    const end = await holding(place, `delete from auth_users where id = 'ada'`);
    const linking = Promise.allSettled([
      adapter.linkAccount(github),
      adapter.createSession(session),
      adapter.createAuthenticator(passkey),
    ]);
    expect(await Promise.race([linking, soon('they wait')])).toBe('they wait');
    await end();
    const reasons = (await linking).map((one) => one.status === 'rejected' && one.reason);
    expect(reasons.filter((reason) => reason instanceof RowNotFound)).toHaveLength(3);
    expect(await place.counts()).toEqual({});
  });
});

/** Runs a statement in another transaction, which stays open until the returned function is called. */
async function holding({ db, engine }: Place, statement: string): Promise<() => Promise<void>> {
  const pool = db as unknown as { connect(): Promise<Connection>; getConnection(): Promise<Connection> };
  const connection = await (engine.dialect.name === 'mysql' ? pool.getConnection() : pool.connect());
  await connection.query('begin');
  await connection.query(statement);
  return async () => {
    await connection.query('commit');
    connection.release();
  };
}

interface Connection {
  query(sql: string): Promise<unknown>;
  release(): void;
}

function soon<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), 100));
}
