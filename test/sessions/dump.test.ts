import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { sessionsOf } from '@latchkey/core/sessions';
import { type Application, application, type Browser } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';

const SESSION = 'authjs.session-token';

/** A database with the sessions of two users, and an end of all earlier sessions of one of them. */
async function makeSite(strategy: 'jwt' | 'database') {
  const db = new DatabaseSync(':memory:');
  const app = application<SqlAdapter>({
    adapter: SqlAdapter(db, { hashSessionTokens: true }),
    config: ({ provider }) => ({
      providers: [provider.provider()],
      session: { strategy, records: { network: true } },
      logout: { provider: true, backchannel: true },
    }),
  });
  app.provider.misbehave({ discovery: { json: { end_session_endpoint: 'https://idp.test/end' } } });
  const ada = await signIn(app, 'ada');
  await app.post('sessions', { end: 'all' }, ada);
  app.clock.advance(1);
  const browsers = [await signIn(app, 'ada'), await signIn(app, 'ada'), await signIn(app, 'bob')] as const;
  return { app, db, browsers };
}

async function signIn(app: Application<SqlAdapter>, sub: string): Promise<Browser> {
  const browser = app.visitor();
  app.provider.misbehave({ idToken: { claims: { sid: `session of ${sub}` } } });
  await app.signIn({ browser, consent: { user: { sub, email: `${sub}@example.com` } } });
  return browser;
}

/** Returns each text that is stored in a database. */
function storedValues(db: DatabaseSync): string[] {
  const tables = db.prepare(`select name from sqlite_master where type = 'table'`).all();
  const rows = tables.flatMap(({ name }) => db.prepare(`select * from "${name}"`).all());
  return [...new Set(rows.flatMap((row) => Object.values(row)).filter((value) => value !== null))].map(String);
}

/** The names of the cookies that the application sets. Some are those of a pending sign-in. */
async function cookieNames(app: Application<SqlAdapter>, browser: Browser): Promise<string[]> {
  const pending = browser.clone();
  await app.startSignIn('fake', {}, pending);
  return [...new Set(pending.cookies.all().map(({ name }) => name))];
}

/** Whether a browser has a session, or sees one in the list. */
async function opensSession(app: Application<SqlAdapter>, browser: Browser): Promise<boolean> {
  const list = await browser.get('/auth/sessions', { headers: { accept: 'application/json' } });
  return (await app.session(browser)) !== null || list.json<{ sessions: unknown[] }>().sessions.length > 0;
}

describe.each(['jwt', 'database'] as const)('a dump of the database (%s)', (strategy) => {
  it('has no value that opens a session as a cookie', async () => {
    const { app, db, browsers } = await makeSite(strategy);
    const [browser] = browsers;
    const names = await cookieNames(app, browser);
    expect(names).toEqual(expect.arrayContaining([SESSION, 'authjs.browser', 'authjs.csrf-token', 'authjs.state']));
    const values = storedValues(db);
    const sealed = values.filter((value) => /^ey[\w-]*(\.[\w-]*){4}$/.test(value));
    expect(sealed, 'ID tokens, and tokens of database sessions').toHaveLength(strategy === 'jwt' ? 3 : 6);
    expect(values.filter((value) => value.startsWith('sha256:'))).toHaveLength(strategy === 'jwt' ? 0 : 3);
    for (const value of values) {
      const tries = [names, ...names.map((name) => [name]), [`${SESSION}.0`], [SESSION, `${SESSION}.0`]];
      for (const tried of tries) {
        const thief = app.visitor();
        for (const name of tried) thief.cookies.set(name, value);
        expect(await opensSession(app, thief), `${tried.join()} = ${value}`).toBe(false);
      }
      const half = browser.clone();
      half.cookies.set(SESSION, value);
      expect(await opensSession(app, half), `beside the other cookies of its user: ${value}`).toBe(false);
    }
    expect(await opensSession(app, browser), 'the cookies of the user').toBe(true);
  });
});

describe('a sealed value in a record', () => {
  it.each([
    ['another user', 'handle = (select handle from dump where userId <> record.userId)'],
    ['another purpose', 'handle = idToken, idToken = handle'],
  ])('that was moved from %s opens nothing', async (_, move) => {
    const { app, db, browsers } = await makeSite('database');
    const [ada, , bob] = browsers;
    db.exec(`create temp table dump as select * from auth_sessionRecords`);
    db.exec(`update auth_sessionRecords as record set ${move}`);
    const user = await app.adapter.getUserByEmail('bob@example.com');
    const { list, end } = sessionsOf(app.config);
    const [session] = await list(user?.id ?? '');
    await expect(end(user?.id ?? '', session?.id ?? '')).rejects.toThrow('Keep an old secret in `secret`');
    for (const browser of [ada, bob]) expect(await opensSession(app, browser)).toBe(true);
  });

  it('that was moved to the record of another user does not reach the provider as an ID token', async () => {
    const { app, db, browsers } = await makeSite('database');
    const [ada, , bob] = browsers;
    const hintOf = async (browser: Browser): Promise<string | null | undefined> =>
      (await app.signOut(browser)).redirect?.searchParams.get('id_token_hint');
    expect(await hintOf(ada)).toMatch(/^ey/);
    db.exec(`create temp table dump as select * from auth_sessionRecords`);
    db.exec(`update auth_sessionRecords as record
      set idToken = (select idToken from dump where userId <> record.userId)`);
    expect(await hintOf(bob)).toBeNull();
  });
});
