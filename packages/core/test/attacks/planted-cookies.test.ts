import type { Browser, FakeProvider, Page } from '@latchkey/testing';
import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import { type Door, oneDoor } from '../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, type Scene, SECRET, scene } from '../flows/scene.ts';
import { csrfTokenOf } from './site.ts';

const ORIGIN = 'https://app.example.com';
const SESSION = '__Secure-authjs.session-token';
const CHALLENGE = '__Secure-authjs.challenge';
const ADA = { user: { email: 'ada@example.com' } };
const MALLORY = { user: { sub: 'mallory', email: 'mallory@evil.example', email_verified: true } };

/** Ways to keep sessions. In the second, the token is in several cookies. */
const kinds = [
  ['jwt', 'jwt', ''],
  ['jwt in chunks', 'jwt', 'x'.repeat(5000)],
  ['database', 'database', ''],
] as const;

interface Site {
  readonly fake: FakeProvider;
  readonly app: Scene;
  readonly adapter: ReturnType<typeof memoryAdapter>;
}

function makeSite(door: Door, strategy: 'jwt' | 'database', filling = ''): Site {
  const fake = fakeProvider();
  const adapter = memoryAdapter();
  const app = scene(
    door,
    {
      providers: [
        oidc(fake),
        oidc(fake, { id: 'second' }),
        ...(strategy === 'jwt' ? [Credentials({ authorize: () => null })] : []),
        Passkey({ relayingParty: { origin: ORIGIN } }),
      ],
      adapter,
      experimental: { enableWebAuthn: true },
      session: { strategy },
      callbacks: { jwt: ({ token, trigger }) => (trigger ? { ...token, filling } : token) },
    },
    { origin: ORIGIN },
  );
  return { fake, app, adapter };
}

/** Signs Mallory in with another browser. */
async function foreignBrowser({ fake, app }: Site): Promise<Browser> {
  const browser = app.visitor();
  await app.signIn(fake, { consent: MALLORY, browser });
  return browser;
}

/** Sets a cookie as a subdomain does. The browser sends it before the site's own. */
function plant(browser: Browser, name: string, value: string, path = '/auth', domain = 'example.com'): void {
  browser.cookies.set(name, value, { url: ORIGIN, domain, path, secure: true });
}

/** Places for six cookies of one name that a browser sends to `/auth/session` before the site's own. */
const deepPlaces = ['/auth/session', '/auth/', '/auth'].flatMap((path) =>
  ['example.com', 'app.example.com'].map((domain) => [path, domain] as const),
);

/** Plants all session cookies of another browser. */
function plantSession(from: Browser, to: Browser): void {
  for (const { name, value } of from.cookies.all()) if (name.startsWith(SESSION)) plant(to, name, value);
}

describe.each(oneDoor)('a planted session, through $name', (door) => {
  describe.each(kinds)('(%s)', (_, strategy, filling) => {
    it('does not get the account that the victim signs in with', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, fake, adapter } = site;
      await app.browser.get('/auth/csrf');
      plantSession(await foreignBrowser(site), app.browser);
      const page = await app.signIn(fake, { id: 'second' });
      expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked');
      expect(adapter.dump().accounts).toHaveLength(1);
      expect(app.log.errors.at(-1)?.message).toContain('Sign in again in this browser');
    });

    it('does not get the passkey that the victim makes', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, adapter } = site;
      await app.browser.get('/auth/csrf');
      plantSession(await foreignBrowser(site), app.browser);
      const asked = await app.browser.get('/auth/webauthn-options/passkey?action=register');
      const made = new SoftwareAuthenticator().create(asked.json<{ options: never }>().options, ORIGIN);
      const page = await app.post('callback/passkey', { action: 'register', data: JSON.stringify(made) });
      expect(leadsTo(page)).toBe('/auth/signin?error=WebAuthnVerificationError');
      expect(adapter.dump().authenticators).toEqual([]);
    });

    it.each(['a challenge', 'garbage'])("does not hide the challenge of the victim's passkey with %s", async (kind) => {
      const site = makeSite(door, strategy, filling);
      const { app, fake, adapter } = site;
      await app.signIn(fake);
      const register = '/auth/webauthn-options/passkey?action=register';
      const asked = await app.browser.get(register);
      const foreign = await foreignBrowser(site);
      await foreign.get(register);
      const planted = kind === 'garbage' ? kind : (foreign.cookies.get(CHALLENGE)?.value ?? '');
      plant(app.browser, CHALLENGE, planted);
      const made = new SoftwareAuthenticator().create(asked.json<{ options: never }>().options, ORIGIN);
      await app.post('callback/passkey', { action: 'register', data: JSON.stringify(made) });
      expect(adapter.dump().authenticators).toHaveLength(1);
    });

    it('does not hide the challenge of a victim whose browser has no CSRF cookie yet', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, fake } = site;
      const phone = new SoftwareAuthenticator();
      await app.signIn(fake);
      const creation = await app.browser.get('/auth/webauthn-options/passkey?action=register');
      const made = phone.create(creation.json<{ options: never }>().options, ORIGIN);
      await app.post('callback/passkey', { action: 'register', data: JSON.stringify(made) });
      for (const foreign of [app.visitor(), await foreignBrowser(site)]) {
        await foreign.get('/auth/webauthn-options/passkey');
        const victim = app.visitor();
        plant(victim, CHALLENGE, foreign.cookies.get(CHALLENGE)?.value ?? '');
        const asked = await victim.get('/auth/webauthn-options/passkey');
        const used = phone.get(asked.json<{ options: never }>().options, ORIGIN);
        await app.post('callback/passkey', { action: 'authenticate', data: JSON.stringify(used) }, victim);
        expect(await app.session(victim)).toMatchObject(ADA);
      }
    });

    it('does not replace the session of the victim', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, fake } = site;
      await app.signIn(fake);
      plantSession(await foreignBrowser(site), app.browser);
      for (let reading = 0; reading < 3; reading++) expect(await app.session()).toMatchObject(ADA);
      expect(leadsTo(await app.signIn(fake))).toBe('/');
      expect(await app.session()).toMatchObject(ADA);
    });

    it('beside that of the victim adds no account and no passkey, and causes a warning', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, fake, adapter } = site;
      await app.signIn(fake);
      plantSession(await foreignBrowser(site), app.browser);
      expect(leadsTo(await app.signIn(fake, { id: 'second' }))).toBe('/auth/signin?error=OAuthAccountNotLinked');
      const asked = await app.browser.get('/auth/webauthn-options/passkey?action=register');
      const made = new SoftwareAuthenticator().create(asked.json<{ options: never }>().options, ORIGIN);
      await app.post('callback/passkey', { action: 'register', data: JSON.stringify(made) });
      expect(adapter.dump().accounts).toHaveLength(2);
      expect(adapter.dump().authenticators).toEqual([]);
      expect(app.log.warnings.filter(([code]) => code === 'duplicate-cookie')).toHaveLength(1);
      expect(await app.session()).toMatchObject(ADA);
    });

    it('adds an account if both sessions are of one user', async () => {
      const { app, fake, adapter } = makeSite(door, strategy, filling);
      await app.signIn(fake);
      const other = app.visitor();
      await app.signIn(fake, { browser: other });
      plantSession(other, app.browser);
      expect(leadsTo(await app.signIn(fake, { id: 'second' }))).toBe('/');
      expect(adapter.dump().accounts).toHaveLength(2);
    });

    it.each(['a session', 'garbage'])('does not hide that of the victim with %s on six deep paths', async (value) => {
      const site = makeSite(door, strategy, filling);
      const { app, fake } = site;
      await app.signIn(fake);
      const foreign = (await foreignBrowser(site)).cookies.all().filter(({ name }) => name.startsWith(SESSION));
      for (const [path, domain] of deepPlaces) {
        for (const cookie of foreign)
          plant(app.browser, cookie.name, value === 'garbage' ? value : cookie.value, path, domain);
      }
      for (let reading = 0; reading < 2; reading++) expect(await app.session()).toMatchObject(ADA);
    });

    it('does not keep the victim from signing out', async () => {
      const site = makeSite(door, strategy, filling);
      const { app, fake } = site;
      await app.signIn(fake);
      const own = app.browser.clone();
      plantSession(await foreignBrowser(site), app.browser);
      await app.post('signout');
      expect(app.browser.cookies.all().filter(({ name }) => name.includes('authjs.browser'))).toEqual([]);
      if (strategy === 'database') expect(await app.session(own)).toBeNull();
    });

    it.each(['', 'garbage', '%E0%A4', 'x'.repeat(3936)])('that is broken (%j) does not end it', async (value) => {
      const { app, fake } = makeSite(door, strategy, filling);
      await app.signIn(fake);
      const own = app.browser.clone();
      for (const name of [SESSION, `${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`]) {
        const browser = own.clone();
        plant(browser, name, value);
        const page = await browser.get('/auth/session');
        expect(page.json(), name).toMatchObject(ADA);
        expect(await app.session(browser), name).toMatchObject(ADA);
      }
    });

    it('is cleared if none of the cookies opens', async () => {
      const { app } = makeSite(door, strategy, filling);
      app.browser.cookies.set(SESSION, 'garbage', { secure: true });
      plant(app.browser, SESSION, 'waste');
      const page = await app.browser.get('/auth/session');
      expect(page.json()).toBeNull();
      expect(page.cookie(SESSION)).toMatchObject({ value: '', maxAge: 0 });
    });
  });

  it('does not matter without an adapter, if it is broken: the own session stays', async () => {
    const login = Credentials({ authorize: () => ({ id: '7', name: 'Ada' }) });
    const app = scene(door, { providers: [login] }, { origin: ORIGIN });
    await app.post('callback/credentials');
    plant(app.browser, SESSION, 'garbage');
    for (let reading = 0; reading < 2; reading++) expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
  });
});

const BROWSER = '__Host-authjs.browser';

const otherBrowserCookies: readonly (readonly [how: string, make: () => Promise<string> | string | undefined])[] = [
  ['missing', () => undefined],
  ['of another user', () => encode({ token: { user: 'other' }, secret: SECRET, salt: BROWSER })],
  ['of another cookie', () => encode({ token: { user: 'other' }, secret: SECRET, salt: SESSION })],
  ['broken', () => 'garbage'],
];

describe.each(oneDoor)('the cookie that names the user of a browser, through $name', (door) => {
  it.each(['jwt', 'database'] as const)('is set by a sign-in, and lets it link an account (%s)', async (strategy) => {
    const { app, fake, adapter } = makeSite(door, strategy);
    const page = await app.signIn(fake);
    expect(page.cookie(BROWSER)).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(page.cookie(BROWSER)?.domain).toBeUndefined();
    await app.signIn(fake, { id: 'second' });
    expect(new Set(adapter.dump().accounts.map(({ userId }) => userId)).size).toBe(1);
    expect(adapter.dump().accounts).toHaveLength(2);
  });

  it.each(otherBrowserCookies)('that is %s links no account, until the user signs in again', async (_, make) => {
    const { app, fake, adapter } = makeSite(door, 'jwt');
    await app.signIn(fake);
    const value = await make();
    if (value === undefined) app.browser.cookies.delete(BROWSER);
    else app.browser.cookies.set(BROWSER, value, { secure: true });
    expect(leadsTo(await app.signIn(fake, { id: 'second' }))).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(await app.session()).toMatchObject(ADA);
    await app.signIn(fake);
    expect(leadsTo(await app.signIn(fake, { id: 'second' }))).toBe('/');
    expect(adapter.dump().accounts).toHaveLength(2);
  });

  it('is not set without an adapter, or if the session is shared with subdomains, where accounts are linked without it', async () => {
    const fake = fakeProvider();
    const alone = scene(door, { providers: [oidc(fake)] }, { origin: ORIGIN });
    expect((await alone.signIn(fake)).cookie(BROWSER)).toBeUndefined();
    const shared = scene(
      door,
      {
        providers: [oidc(fake), oidc(fake, { id: 'second' })],
        adapter: memoryAdapter(),
        cookies: { sessionToken: { options: { domain: 'example.com' } } },
      },
      { origin: ORIGIN },
    );
    expect((await shared.signIn(fake)).cookie(BROWSER)).toBeUndefined();
    expect(leadsTo(await shared.signIn(fake, { id: 'second' }))).toBe('/');
  });

  it('has a name of its own for each application of a host', async () => {
    const fake = fakeProvider();
    const app = scene(
      door,
      { providers: [oidc(fake)], adapter: memoryAdapter(), cookies: { sessionToken: { name: 'shop.session' } } },
      { origin: ORIGIN },
    );
    expect((await app.signIn(fake)).cookie(`${BROWSER}.shop.session`)).toBeDefined();
  });
});

/** Every action, as a browser asks for it. None of them signs in or out. */
const actions: readonly (readonly [
  name: string,
  ask: (app: Scene, browser: Browser, csrf: string) => Promise<Page>,
])[] = [
  ...[
    'session',
    'csrf',
    'providers',
    'signin',
    'signin?error=X',
    'signout',
    'error?error=X',
    'verify-request',
    'webauthn-options/passkey',
    'webauthn-options/passkey?action=register',
    'callback/fake?code=x&state=x',
    'callback/passkey',
    'callback/credentials',
    'unknown',
  ].map((path) => [`GET ${path}`, (_: Scene, browser: Browser) => browser.get(`/auth/${path}`)] as const),
  ...[
    ['session', { data: '1' }],
    ['signin', {}],
    ['signin/fake', {}],
    ['callback/credentials', { name: 'x' }],
    ['callback/passkey', { action: 'authenticate', data: '{}' }],
    ['callback/fake', { code: 'x' }],
  ].map(
    ([path, fields]) =>
      [
        `POST ${path}`,
        (_: Scene, browser: Browser, csrfToken: string) =>
          browser.post(`/auth/${path}`, { csrfToken, ...(fields as object) }),
      ] as const,
  ),
];

const names = [
  '__Host-authjs.csrf-token',
  '__Host-authjs.browser',
  '__Secure-authjs.callback-url',
  '__Secure-authjs.challenge',
  SESSION,
  `${SESSION}.0`,
  `${SESSION}.1`,
];

/** Changes of one cookie. Cookies with the prefix `__Host-` are changed in this browser itself. */
const changes: readonly (readonly [
  name: string,
  change: (browser: Browser, cookie: string, foreign: Browser) => void,
])[] = [
  ['missing', ({ cookies }, name) => void cookies.delete(name)],
  ['empty', (browser, name) => put(browser, name, '')],
  ['broken', (browser, name) => put(browser, name, 'garbage')],
  ['badly encoded', (browser, name) => put(browser, name, '%E0%A4%A')],
  ['long', (browser, name) => put(browser, name, 'x'.repeat(4000))],
  ['doubled', (browser, name) => put(browser, name, browser.cookies.get(name)?.value ?? 'x')],
  [
    'foreign',
    (browser, name, foreign) => put(browser, name, foreign.cookies.get(name)?.value ?? 'https://evil.example'),
  ],
];

function put(browser: Browser, name: string, value: string): void {
  if (name.startsWith('__Host-')) browser.cookies.set(name, value, { secure: true });
  else plant(browser, name, value);
}

describe.each(oneDoor)('each cookie, planted, doubled or missing, through $name', (door) => {
  describe.each(kinds)('(%s)', (_, strategy, filling) => {
    it.each(changes)('%s: no action fails, ends the session or gives that of another user', async (_how, change) => {
      const site = makeSite(door, strategy, filling);
      const { app, fake } = site;
      await app.signIn(fake);
      await app.browser.get('/auth/webauthn-options/passkey');
      const csrf = await csrfTokenOf(app.browser);
      const foreign = await foreignBrowser(site);
      await foreign.get('/auth/webauthn-options/passkey');
      for (const name of names) {
        for (const [action, ask] of actions) {
          const browser = app.browser.clone();
          change(browser, name, foreign);
          const sessionIsGone = app.browser.cookies.has(name) && !browser.cookies.has(name) && name.startsWith(SESSION);
          const page = await ask(app, browser, csrf);
          expect(page.status, `${name}, ${action}`).toBeLessThan(500);
          const session = await app.session(browser);
          if (sessionIsGone) expect(session, `${name}, ${action}`).toBeNull();
          else expect(session, `${name}, ${action}`).toMatchObject(ADA);
        }
      }
    });
  });
});

describe.each(oneDoor)('a sign-in that started in another tab, through $name', (door) => {
  it('ends although a sign-in and a sign-out have renewed the CSRF token', async () => {
    const { app, fake } = makeSite(door, 'jwt');
    const first = await app.begin('fake');
    await app.signIn(fake);
    await app.post('signout');
    expect(leadsTo(await app.finish(await fake.authorize(first.location ?? '')))).toBe('/');
    expect(await app.session()).toMatchObject(ADA);
    expect(app.log.types()).toEqual([]);
  });

  it('is refused in another browser', async () => {
    const { app, fake } = makeSite(door, 'jwt');
    const back = await fake.authorize((await app.begin('fake')).location ?? '');
    const other = app.browser.clone();
    other.cookies.delete('__Host-authjs.csrf-token');
    await other.get('/auth/csrf');
    expectRefused(app, await app.finish(back, other), 'InvalidCheck', other);
  });
});
