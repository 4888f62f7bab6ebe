import {
  type Application,
  application,
  type Browser,
  Clock,
  memoryAdapter,
  SoftwareAuthenticator,
} from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/context.ts';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig, CookieMigration } from '../../src/types/config.ts';
import { CHUNK_SIZE } from '../../src/wire/cookie-chunks.ts';
import { type Door, oneDoor } from './doors.ts';
import { leadsTo, noting } from './scene.ts';

const ORIGIN = 'https://app.example.com';
const FROM = new Date('2027-01-10T00:00:00Z');
const UNTIL = new Date('2027-02-10T00:00:00Z');
/** The last minute with the old names. */
const BEFORE = new Date('2027-01-09T23:59:00Z');
const migrate: CookieMigration = { from: FROM, until: UNTIL };
const migrating = { prefix: '__Host-', migrate } as const;
const OLD = '__Secure-authjs.session-token';
const NEW = '__Host-authjs.session-token';
const ADA = { user: { email: 'ada@example.com' } };
const MALLORY = { user: { sub: 'mallory', name: 'Mallory', email: 'mallory@evil.example', email_verified: true } };

interface Kind {
  readonly strategy: 'jwt' | 'database';
  /** Text that makes the session long. Default: none. */
  readonly filling?: string;
  /** Default: `true`. */
  readonly hasAdapter?: boolean;
}

const kinds: [title: string, kind: Kind][] = [
  ['jwt', { strategy: 'jwt' }],
  ['jwt in chunks', { strategy: 'jwt', filling: 'x'.repeat(2 * CHUNK_SIZE) }],
  ['jwt without adapter', { strategy: 'jwt', hasAdapter: false }],
  ['database', { strategy: 'database' }],
];

interface Site extends Application<ReturnType<typeof memoryAdapter> | undefined> {
  /** The present deployment: the option `cookies`, and the options of each call. */
  readonly deployed: { cookies: AuthConfig['cookies']; call: CallOptions };
}

/** Makes an application one minute before `from`. */
function makeSite(
  { ask }: Door,
  { strategy, filling, hasAdapter = true }: Kind = { strategy: 'jwt' },
  cookies: AuthConfig['cookies'] = migrating,
  origin: string = ORIGIN,
): Site {
  const deployed: Site['deployed'] = { cookies, call: {} };
  const app = application({
    origin,
    clock: new Clock(BEFORE),
    adapter: hasAdapter ? memoryAdapter() : undefined,
    handler: (request, config, call) =>
      ask(request, { ...config, cookies: deployed.cookies }, { ...call, ...deployed.call }),
    config: ({ provider, mail }) => ({
      providers: [
        provider.provider({ checks: ['pkce', 'state', 'nonce'] }),
        ...(strategy === 'jwt' ? [Credentials({ authorize: () => null })] : []),
        ...(hasAdapter ? [{ ...mail, code: true }, Passkey({ relayingParty: { origin: ORIGIN } })] : []),
      ],
      experimental: { enableWebAuthn: true },
      session: { strategy, maxAge: 90 * 86_400 },
      callbacks: { jwt: ({ token, trigger }) => (trigger ? { ...token, filling } : token) },
    }),
  });
  return { ...app, deployed };
}

/** The names of a browser's cookies, without the numbers of chunks. */
function names(browser: Browser, part = ''): string[] {
  const all = browser.cookies.all().map(({ name }) => name.replace(/\.\d+$/, ''));
  return [...new Set(all)].filter((name) => name.includes(part)).sort();
}

const sessionNames = (browser: Browser): string[] => names(browser, 'session-token');

/** Gives one browser the session cookies of another, under another name. */
function plant(from: Browser, to: Browser, oldName: string, newName: string): void {
  for (const { name, value } of from.cookies.all()) {
    if (name.startsWith(oldName)) to.cookies.set(name.replace(oldName, newName), value, { secure: true });
  }
}

describe.each(oneDoor)('the prefix of cookies through $name', (door) => {
  describe.each(kinds)('(%s)', (_, kind) => {
    it('is __Host- for all cookies on https; the revision keeps its name', async () => {
      const app = makeSite(door, kind, { prefix: '__Host-' });
      app.deployed.call = { revision: true };
      await app.startSignIn();
      await app.signIn();
      expect(await app.session()).toMatchObject(ADA);
      expect(names(app.browser).filter((name) => !name.startsWith('__Host-'))).toEqual(['authjs.revision']);
      expect(sessionNames(app.browser)).toEqual([NEW]);
      expect(app.browser.rejected).toEqual([]);
    });

    it('is not used on http, and nothing moves', async () => {
      const app = makeSite(door, kind, migrating, 'http://app.example.com');
      await app.visitor().get(`${ORIGIN}/auth/csrf`);
      await app.signIn();
      app.clock.set(FROM);
      expect(await app.session()).toMatchObject(ADA);
      expect(names(app.browser).filter((name) => name.startsWith('__'))).toEqual([]);
    });

    it('does not apply to a name of the application', async () => {
      const app = makeSite(door, kind, { ...migrating, sessionToken: { name: 'sid' } });
      await app.signIn();
      app.clock.set(FROM);
      expect(await app.session()).toMatchObject(ADA);
      expect(names(app.browser)).toContain('sid');
      expect(sessionNames(app.browser)).toEqual([]);
      expect(names(app.browser, 'callback-url')).toEqual(['__Host-authjs.callback-url']);
    });

    it('ignores old names without `migrate`', async () => {
      const app = makeSite(door, kind, undefined);
      await app.signIn();
      app.deployed.cookies = { prefix: '__Host-' };
      expect(await app.session()).toBeNull();
      expect(sessionNames(app.browser)).toEqual([OLD]);
    });

    it('before `from`, writes the old names and reads both', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      expect(sessionNames(app.browser)).toEqual([OLD]);
      app.clock.set(FROM);
      await app.session();
      expect(sessionNames(app.browser)).toEqual([NEW]);
      app.clock.set(BEFORE);
      expect(await app.session()).toMatchObject(ADA);
      expect(sessionNames(app.browser)).toEqual([OLD]);
      expect(await app.session()).toMatchObject(ADA);
    });

    it('from `from` on, issues the session under the new name and clears the old one', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(FROM);
      expect(await app.session()).toMatchObject(ADA);
      expect(names(app.browser).filter((name) => name.startsWith('__Secure-'))).toEqual([]);
      expect(await app.session()).toMatchObject(ADA);
      expect(app.browser.rejected).toEqual([]);
      expect(app.log.errors).toEqual([]);
    });

    it('moves a session that is not due, once', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(FROM);
      app.deployed.call = { renew: 'when-due', cookies: 'session' };
      expect(await app.session()).toMatchObject(ADA);
      expect(sessionNames(app.browser)).toEqual([NEW]);
      const again = await app.browser.get('/auth/session');
      expect([again.json(), again.setCookies]).toMatchObject([ADA, []]);
    });

    it('is read under the old name where cookies cannot be set', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(FROM);
      app.deployed.call = { renew: 'never', cookies: 'session' };
      expect(await app.session(app.browser.clone())).toMatchObject(ADA);
      expect(await app.session()).toMatchObject(ADA);
    });

    it('ignores old names after `until`', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(new Date(UNTIL.getTime() - 1));
      const before = app.browser.clone();
      expect(await app.session(before)).toMatchObject(ADA);
      app.clock.set(UNTIL);
      expect(await app.session(before)).toMatchObject(ADA);
      expect(await app.session()).toBeNull();
    });

    it('prefers the new name to a planted cookie of the old one', async () => {
      const app = makeSite(door, kind);
      const mallory = app.visitor();
      await app.signIn({ consent: MALLORY, browser: mallory });
      app.clock.set(FROM);
      await app.signIn();
      for (const instant of [FROM, BEFORE]) {
        app.clock.set(instant);
        const browser = app.browser.clone();
        plant(mallory, browser, OLD, OLD);
        expect(await app.session(browser)).toMatchObject(ADA);
        expect(await app.session(browser)).toMatchObject(ADA);
      }
    });

    it('uses the old name if the cookie of the new one does not open', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(FROM);
      app.browser.cookies.set(NEW, 'ended', { secure: true });
      expect(await app.session()).toMatchObject(ADA);
      expect(sessionNames(app.browser)).toEqual([NEW]);
      expect(await app.session()).toMatchObject(ADA);
    });

    it('clears both names if neither opens', async () => {
      const app = makeSite(door, kind);
      app.clock.set(FROM);
      for (const name of [OLD, NEW]) app.browser.cookies.set(name, 'ended', { secure: true });
      expect(await app.session()).toBeNull();
      expect(sessionNames(app.browser)).toEqual([]);
    });

    it.each([
      ['before', BEFORE],
      ['from', FROM],
    ])('clears both names at a sign-out %s `from`', async (_when, instant) => {
      const app = makeSite(door, kind);
      await app.signIn();
      const old = app.browser.clone();
      app.clock.set(FROM);
      await app.signIn();
      plant(old, app.browser, OLD, OLD);
      app.clock.set(instant);
      for (const browser of [app.browser, old]) {
        await app.signOut(browser);
        expect(sessionNames(browser)).toEqual([]);
        expect(await app.session(browser)).toBeNull();
      }
    });

    it('replaces a session under the other name when the visitor signs in', async () => {
      const app = makeSite(door, kind);
      await app.signIn();
      app.clock.set(FROM);
      await app.signIn();
      expect(sessionNames(app.browser)).toEqual([NEW]);
      expect(await app.session()).toMatchObject(ADA);
      expect(app.adapter?.dump().sessions ?? []).toHaveLength(kind.strategy === 'database' ? 1 : 0);
    });
  });

  it.each([
    [OLD, NEW],
    [NEW, OLD],
  ])('a token sealed for %s does not open as %s', async (sealed, presented) => {
    const app = makeSite(door);
    if (sealed === NEW) app.clock.set(FROM);
    await app.signIn();
    app.clock.set(FROM);
    const thief = app.visitor();
    plant(app.browser, thief, sealed, presented);
    expect(await app.session(thief)).toBeNull();
    plant(app.browser, thief, sealed, sealed);
    expect(await app.session(thief)).toMatchObject(ADA);
  });

  it('may be combined with a domain of a cookie that has a name of its own', async () => {
    const sessionToken = { name: 'sid', options: { domain: 'example.com' } };
    const app = makeSite(door, undefined, { prefix: '__Host-', sessionToken });
    await app.signIn();
    expect(await app.session()).toMatchObject(ADA);
  });

  it('is not blamed for the domain of a cookie that always has it', async () => {
    const app = makeSite(door, undefined, { prefix: '__Host-', csrfToken: { options: { domain: 'example.com' } } });
    await app.browser.get('/auth/csrf');
    expect(app.log.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^cookies\.csrfToken.*Domain/),
    ]);
  });

  it("passes each cookie's own name to `jwt.decode`", async () => {
    const salts: string[] = [];
    const app = makeSite(door);
    await app.signIn();
    app.clock.set(FROM);
    const decode = ({ salt }: { salt: string }) => noting(salts, `decode ${salt}`, { email: 'ada@example.com' });
    const encode = ({ salt }: { salt: string }) => noting(salts, `encode ${salt}`, 'token');
    const own = { ...app.config, cookies: migrating, jwt: { decode, encode } };
    const cookie = `${OLD}=${app.browser.cookies.get(OLD)?.value}`;
    const request = new Request(`${ORIGIN}/auth/session`, { headers: { cookie } });
    await door.ask(request, own, { now: app.clock.now });
    expect(new Set(salts)).toEqual(new Set([`decode ${OLD}`, `encode ${NEW}`]));
  });
});

describe.each(oneDoor)('a change of the prefix through $name', (door) => {
  const directions = [
    ['forward', BEFORE, FROM, '__Secure-', '__Host-'],
    ['back', FROM, BEFORE, '__Host-', '__Secure-'],
  ] as const;

  describe.each(directions)('%s', (_, first, then, former, next) => {
    it('lets sign-ins at a provider finish, beside later ones', async () => {
      const app = makeSite(door);
      app.clock.set(first);
      const one = await app.startSignIn();
      const two = await app.startSignIn();
      app.clock.set(then);
      expect(names(app.browser, 'authjs.nonce')).toEqual([`${former}authjs.nonce`]);
      const three = await app.startSignIn();
      expect(names(app.browser, 'authjs.nonce')).toEqual([`${next}authjs.nonce`]);
      for (const page of [two, three, one]) {
        const back = await app.open(await app.provider.authorize(page.location ?? ''));
        expect(leadsTo(back)).toBe('/');
        expect(await app.session()).toMatchObject(ADA);
      }
      expect(names(app.browser, '.nonce')).toEqual([]);
      expect(app.log.errors).toEqual([]);
    });

    it('leaves no check cookie of a callback that fails', async () => {
      const app = makeSite(door);
      app.clock.set(first);
      const page = await app.startSignIn();
      app.clock.set(then);
      const back = new URL(await app.provider.authorize(page.location ?? ''));
      back.searchParams.set('code', 'wrong');
      await app.open(back.href);
      expect(app.log.types()).toEqual(['OAuthCallbackError']);
      expect(names(app.browser).filter((name) => /state|nonce|pkce/.test(name))).toEqual([]);
    });

    it('ignores a check cookie that is planted under the old name beside a new one', async () => {
      const app = makeSite(door);
      app.clock.set(FROM);
      const page = await app.startSignIn();
      app.browser.cookies.set('__Secure-authjs.state', 'planted', { secure: true });
      app.clock.set(then);
      const back = await app.open(await app.provider.authorize(page.location ?? ''));
      expect(leadsTo(back)).toBe('/');
      expect(names(app.browser, 'authjs.state')).toEqual([]);
    });

    it('lets a passkey answer its challenge', async () => {
      const app = makeSite(door);
      const phone = new SoftwareAuthenticator();
      app.clock.set(first);
      await app.browser.get('/auth/csrf');
      const asked = await app.browser.get('/auth/webauthn-options/passkey?action=register&email=ada@example.com');
      expect(names(app.browser, 'challenge')).toEqual([`${former}authjs.challenge`]);
      app.clock.set(then);
      const data = JSON.stringify(phone.create(asked.json<{ options: never }>().options, ORIGIN));
      await app.post('callback/passkey', { action: 'register', data });
      expect(app.log.errors).toEqual([]);
      expect(names(app.browser, 'challenge')).toEqual([]);
      expect(app.mails).toHaveLength(1);
    });

    it('lets a mailed link and code sign in', async () => {
      const app = makeSite(door);
      const other = app.visitor();
      app.clock.set(first);
      const link = await app.mailedLink('ada@example.com');
      await app.mailedLink('bob@example.com', {}, other);
      app.clock.set(then);
      await app.open(link);
      expect(await app.session()).toMatchObject(ADA);
      await app.post('code/mail', { code: app.mails[1]?.code }, other);
      expect(await app.session(other)).toMatchObject({ user: { email: 'bob@example.com' } });
    });

    it('accepts forms that were open, and remembers where the visitor goes', async () => {
      const app = makeSite(door);
      app.clock.set(first);
      const csrfToken = await app.csrfToken();
      await app.browser.get('/auth/signin?callbackUrl=/shop');
      expect(names(app.browser, 'callback-url')).toEqual([`${former}authjs.callback-url`]);
      app.clock.set(then);
      const page = await app.browser.post('/auth/signin/fake', { csrfToken });
      expect(page.redirect?.origin).toBe(new URL(app.provider.issuer).origin);
      expect(names(app.browser, 'callback-url')).toEqual([`${next}authjs.callback-url`]);
      const back = await app.open(await app.provider.authorize(page.location ?? ''));
      expect(leadsTo(back)).toBe('/shop');
    });
  });
});
