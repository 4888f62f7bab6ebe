import Credentials from '@latchkey/core/providers/credentials';
import { type ContractMemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { application, cookieHeader, leadsTo, sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { equal, holds, matches } from './expect.ts';

const user = { id: 'ada', name: 'Ada Lövelace', email: 'ada@example.com' };

/** Lets in who knows the word. */
export const ada = Credentials({
  credentials: { password: { label: 'Password', type: 'password' } },
  authorize: ({ password }) => (password === 'engine' ? user : null),
});

const right = { password: 'engine' };

export const credentials: Cases = {
  'signs in, tells the session, signs out': async () => {
    const app = application({ providers: [ada] });
    equal(await app.session(), null, 'before');
    const page = await app.post('callback/credentials', { ...right, callbackUrl: '/in' });
    equal(leadsTo(page), '/in');
    equal((await app.session())?.user, { name: user.name, email: user.email });
    equal(sessionCookies(app), ['authjs.session-token']);
    await app.post('signout');
    equal(await app.session(), null, 'afterwards');
    equal(sessionCookies(app), []);
    equal(app.browser.rejected, [], 'cookies that a browser refuses');
    equal(app.errors, []);
  },

  'refuses a wrong password': async () => {
    const app = application({ providers: [ada] });
    const page = await app.post('callback/credentials', { password: 'difference' });
    matches(leadsTo(page), /^\/auth\/signin\?error=CredentialsSignin/);
    equal(sessionCookies(app), []);
    equal(await app.session(), null);
  },

  'extends the session, and ends it without requests': async () => {
    const app = application({ providers: [ada] });
    await app.post('callback/credentials', right);
    const first = await app.session();
    app.wait(20);
    const second = await app.session();
    holds(Date.parse(second?.expires ?? '') > Date.parse(first?.expires ?? ''), 'the session lives longer');
    app.wait(20);
    equal((await app.session())?.user?.name, user.name, 'after 40 days with a visit');
    app.wait(31);
    equal(await app.session(), null, 'after 31 days without');
  },

  'takes secrets in turn': async () => {
    const [oldest, newest] = ['oldest', 'newest'].map((word) => `${word}-secret-of-more-than-32-characters`);
    const before = application({ providers: [ada], secret: oldest });
    await before.post('callback/credentials', right);
    const read = async (secret: string | string[], cookie: string): Promise<[string | undefined, string]> => {
      const app = application({ providers: [ada], secret });
      const page = await app.browser.get('/auth/session', { headers: { cookie } });
      return [page.json<{ user?: { name: string } } | null>()?.user?.name, cookieHeader(app)];
    };
    const [name, renewed] = await read([newest ?? '', oldest ?? ''], cookieHeader(before));
    equal(name, user.name, 'sealed with the oldest');
    equal((await read(newest ?? '', renewed))[0], user.name, 'sealed anew with the newest');
    equal((await read(newest ?? '', cookieHeader(before)))[0], undefined, 'the oldest after it is gone');
  },

  'splits a session that is too large for a cookie': async () => {
    const story = Array.from({ length: 400 }, (_, line) => `line ${line} of a story`).join('\n');
    const app = application({
      providers: [ada],
      callbacks: {
        jwt: ({ token }) => ({ ...token, story }),
        session: ({ session, token }) => ({ ...session, story: token['story'] }),
      },
    });
    await app.post('callback/credentials', right);
    holds(sessionCookies(app).length > 1, 'there are several cookies');
    const session: object = { ...(await app.session()) };
    holds('story' in session && session.story === story, 'the session comes back whole');
    await app.post('signout');
    equal(sessionCookies(app), []);
  },

  'uses the cookies of https on https': async () => {
    const app = application({ providers: [ada] }, { origin: 'https://app.test' });
    await app.post('callback/credentials', right);
    equal(sessionCookies(app), ['__Secure-authjs.session-token']);
    equal((await app.session())?.user?.name, user.name);
    equal(app.browser.rejected, []);
  },

  'keeps sessions in a store': async () => {
    const adapter: ContractMemoryAdapter = memoryAdapter({ optional: false });
    const stored = await adapter.createUser({ ...user, emailVerified: null });
    const provider = Credentials({ credentials: {}, authorize: () => stored });
    const app = application({ providers: [provider], adapter, session: { strategy: 'database' } });
    await app.post('callback/credentials');
    equal(adapter.store.sessions.size, 1, 'rows');
    equal((await app.session())?.user?.name, user.name);
    await app.post('signout');
    equal(adapter.store.sessions.size, 0, 'rows after signing out');
  },
};
