import { inspect } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mariadb, postgres } from '../../../test/services/index.ts';
import { UniqueViolation } from '../src/index.ts';
import { application } from './application.ts';
import { type Opened, onMysql, onPg } from './engines/engines.ts';
import { type Place, placeOf, places } from './place.ts';
import { ada, bob, github, later, passkey } from './samples.ts';

/** Opens pools with five connections. */
const pools: Readonly<Record<string, () => Promise<Opened>>> = {
  pg: async () => onPg(await (await postgres()).fresh(), { max: 5 }),
  mysql2: async () => onMysql(await (await mariadb()).fresh(), { connectionLimit: 5 }),
};
const stores = places.filter(({ name }) => ['node:sqlite', 'libSQL', 'pg', 'mysql2'].includes(name));
const fifty = Array.from({ length: 50 }, (_, index) => index);
const DAY = 86_400;

describe.each(stores)('fifty simultaneous on $name', (kind) => {
  const place = placeOf(kind, {}, pools[kind.name] ?? kind.open);

  it('calls that write one key: one succeeds, and the others are refused', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    const session = { sessionToken: 's', userId: 'ada', expires: later };
    const { userId: _, ...account } = github;
    const attempts: Readonly<Record<string, (n: number) => unknown>> = {
      user: (n) => adapter.createUser({ ...bob, id: `${n}` }),
      account: (n) => adapter.linkAccount({ ...github, access_token: `${n}` }),
      'user and account': (n) =>
        adapter.createUserWithAccount({ ...bob, id: `b${n}`, email: `${n}` }, { ...account, providerAccountId: '2' }),
      session: () => adapter.createSession(session),
      'replaced session': () => adapter.replaceSession('s', { ...session, sessionToken: 'new' }),
      token: () => adapter.createVerificationToken({ identifier: 'i', token: 't', expires: later }),
      passkey: () => adapter.createAuthenticator(passkey),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      const settled = await Promise.allSettled(fifty.map(async (n) => attempt(n)));
      const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(lost.length, what).toBe(49);
      const others = lost.filter((error) => !(error instanceof UniqueViolation));
      expect(
        others.map((error) => inspect(error)),
        what,
      ).toEqual([]);
    }
    expect(await place.counts()).toEqual({
      auth_users: 3,
      auth_accounts: 2,
      auth_users_accounts: 2,
      auth_sessions: 1,
      auth_users_sessions: 1,
      auth_verificationTokens: 1,
      auth_authenticators: 1,
    });
  });

  it('visitors with one mailed link: one is signed in', async () => {
    const { visitor, mailedLink, session } = application(place.adapter);
    const link = await mailedLink(visitor(), 'grace@example.com');
    const browsers = fifty.map(visitor);
    await Promise.all(browsers.map((browser) => browser.get(link, { site: 'cross-site' })));
    const sessions = await Promise.all(browsers.map(session));
    expect(sessions.filter(Boolean)).toHaveLength(1);
    expect(await place.counts()).toEqual({ auth_users: 1, auth_sessions: 1, auth_users_sessions: 1 });
  });

  it('first sign-ins of one account: one user, one account, and all are signed in', async () => {
    const { visitor, signIn, session } = application(place.adapter);
    const browsers = fifty.map(visitor);
    const pages = await Promise.all(browsers.map((browser) => signIn(browser)));
    const places = new Set(pages.map(({ redirect }) => `${redirect?.pathname}${redirect?.search}`));
    expect([...places]).toEqual(['/']);
    const sessions = await Promise.all(browsers.map(session));
    expect(sessions.filter((one) => one?.user.email !== 'ada@example.com')).toEqual([]);
    expect(await place.counts()).toMatchObject({
      auth_users: 1,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_sessions: 50,
      auth_users_sessions: 50,
    });
    const owners = await place.rows(sql`select distinct ${sql.ref('user')} as id from ${sql.table('auth_sessions')}`);
    expect(owners).toEqual(await place.rows(sql`select id from ${sql.table('auth_users')}`));
  });

  it('reads of a session that is due: at most one write per updateAge', async () => {
    const { clock, visitor, signIn, errors } = application(place.adapter, { maxAge: 30 * DAY, updateAge: DAY });
    const browser = visitor();
    await signIn(browser);
    const read = () => browser.get('/auth/session');
    const written = await countingWrites(place);
    clock.advance(DAY - 1);
    await Promise.all(fifty.map(read));
    expect(await written()).toBe(0);
    for (const due of [1, 2]) {
      clock.advance(due === 1 ? 1 : DAY);
      const pages = await Promise.all(fifty.map(read));
      expect(await written()).toBe(due);
      const expires = new Date(clock.now().getTime() + 30 * DAY * 1000).toISOString();
      expect(new Set(pages.map((page) => page.json<{ expires: string }>().expires))).toEqual(new Set([expires]));
    }
    expect(errors).toEqual([]);
  });

  it('reads of a session during its sign-out: the session stays deleted', async () => {
    const { clock, visitor, signIn, post, session, errors } = application(place.adapter, { updateAge: DAY });
    for (const position of [0, 25]) {
      const browser = visitor();
      await signIn(browser);
      const reader = visitor();
      const token = browser.cookies.get('authjs.session-token')?.value ?? '';
      reader.cookies.set('authjs.session-token', token);
      expect(await session(reader)).not.toBeNull();
      // Each read would extend the session.
      clock.advance(2 * DAY);
      await Promise.all(fifty.map((n) => (n === position ? post(browser, 'signout') : reader.get('/auth/session'))));
      expect(await place.adapter.getSessionAndUser(token)).toBeNull();
      reader.cookies.set('authjs.session-token', token);
      expect(await session(reader)).toBeNull();
      const { auth_sessions, auth_users_sessions } = await place.counts();
      expect([auth_sessions, auth_users_sessions]).toEqual([undefined, undefined]);
    }
    expect(errors).toEqual([]);
  });
});

const TRIGGERS = {
  sqlite: [
    'create table if not exists writes (n integer)',
    'create trigger if not exists counting after update on auth_sessions begin insert into writes values (1); end',
  ],
  postgres: [
    'create table if not exists writes (n integer)',
    `create or replace function note_write() returns trigger language plpgsql as
      'begin insert into writes values (1); return null; end'`,
    'create or replace trigger counting after update on auth_sessions for each row execute function note_write()',
  ],
  mysql: [
    'create table if not exists writes (n integer)',
    'create trigger if not exists counting after update on auth_sessions for each row insert into writes values (1)',
  ],
};

/** Lets the database count the writes of sessions, and returns a function that reads the count. */
async function countingWrites({ engine, run, rows }: Place): Promise<() => Promise<number>> {
  for (const statement of TRIGGERS[engine.dialect.name]) await run(sql.raw(statement));
  await run(sql`delete from writes`);
  return async () => Number((await rows(sql`select count(*) as n from writes`))[0]?.['n']);
}
