import { MemorySessionRecords, memoryAdapter } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recentRefusals } from '../../src/explain/recent.ts';
import { causes, explain } from '../../src/explain.ts';
import { decode } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { RefusalCause } from '../../src/types/cause.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, doors } from '../flows/doors.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { fakeProvider, later, oidc, type Scene, SECRET, scene } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const call = { development: true };
const fail = (): never => {
  throw new Error('provoked');
};

function appOf(door: Door, config: Partial<AuthConfig>): Scene {
  return scene(door, config, { call });
}

function withFake(door: Door, config: Partial<AuthConfig> = {}) {
  const fake = fakeProvider();
  return { fake, app: appOf(door, { providers: [oidc(fake)], ...config }) };
}

const mail = (door: Door, expires: Date | null, send = (): void => undefined): Scene =>
  appOf(door, {
    session: { strategy: 'jwt' },
    adapter: {
      ...memoryStore().adapter,
      createVerificationToken: () => null,
      useVerificationToken: (used) => expires && { ...used, expires },
    } as AuthConfig['adapter'],
    providers: [{ id: 'mail', name: 'Mail', type: 'email', from: 'a@b.test', sendVerificationRequest: send }] as never,
  });
const LINK = '/auth/callback/mail?token=x&email=a%40b.test';

/** Does what is refused for each cause. Returns the application. */
const provoke: Readonly<Record<Exclude<RefusalCause, 'method' | 'store-failed'>, (door: Door) => Promise<Scene>>> = {
  'csrf-missing': async (door) => {
    const app = appOf(door, {});
    await app.browser.post('/auth/signout', {});
    return app;
  },
  'csrf-mismatch': async (door) => {
    const app = appOf(door, {});
    await app.browser.get('/auth/csrf');
    await app.browser.post('/auth/signout', { csrfToken: 'wrong' });
    return app;
  },
  'origin-mismatch': async (door) => {
    const app = appOf(door, {});
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    await app.browser.post('/auth/signout', { csrfToken }, { headers: { 'sec-fetch-site': 'cross-site' } });
    return app;
  },
  'provider-unknown': async (door) => {
    const app = appOf(door, {});
    await app.browser.get('/auth/callback/unknown');
    return app;
  },
  'rate-limited': async (door) => {
    const app = appOf(door, {
      providers: [Credentials({ authorize: () => null })],
      rateLimit: { credentials: { limit: 1 } },
    });
    await app.post('callback/credentials', { username: 'ada' });
    await app.post('callback/credentials', { username: 'ada' });
    return app;
  },
  'flow-missing': async (door) => {
    const { app } = withFake(door);
    await app.browser.get('/auth/callback/fake?code=x&state=y');
    return app;
  },
  'flow-expired': async (door) => {
    const { app, fake } = withFake(door);
    const { location } = await app.begin();
    await later(app, 901);
    await app.finish(await fake.authorize(location ?? ''));
    return app;
  },
  'flow-used': async (door) => {
    const { app, fake } = withFake(door, { adapter: memoryAdapter() });
    const answer = await fake.authorize((await app.begin()).location ?? '');
    const kept = app.browser.cookies.all();
    await app.finish(answer);
    for (const { name, value } of kept) app.browser.cookies.set(name, value);
    await app.finish(answer);
    return app;
  },
  'flow-of-other-browser': async (door) => {
    const { app, fake } = withFake(door);
    const answer = await fake.authorize((await app.begin()).location ?? '');
    const other = app.visitor();
    await other.get('/auth/csrf');
    for (const { name, value } of app.browser.cookies.all()) if (!/csrf/.test(name)) other.cookies.set(name, value);
    await app.finish(answer, other);
    return app;
  },
  'provider-error': async (door) => {
    const { app } = withFake(door);
    await app.browser.get('/auth/callback/fake?error=server_error');
    return app;
  },
  'code-refused': async (door) => {
    const { app, fake } = withFake(door);
    fake.faults.token = { status: 400, body: { error: 'invalid_grant' } };
    await app.signIn(fake);
    return app;
  },
  'client-refused': async (door) => {
    const { app, fake } = withFake(door);
    fake.faults.token = { status: 401, body: { error: 'invalid_client' } };
    await app.signIn(fake);
    return app;
  },
  'metadata-unreachable': async (door) => {
    const { app, fake } = withFake(door);
    fake.faults.discovery = { status: 404 };
    await app.begin();
    return app;
  },
  'metadata-issuer': async (door) => {
    const { app, fake } = withFake(door);
    fake.faults.discovery = { body: { issuer: 'https://b.test' } };
    await app.begin();
    return app;
  },
  'id-token-claim': async (door) => {
    const { app, fake } = withFake(door);
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, aud: 'another' }) };
    await app.signIn(fake);
    return app;
  },
  clock: async (door) => {
    const { app, fake } = withFake(door);
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, iat: Number(claims.iat) + 3600 }) };
    await app.signIn(fake);
    return app;
  },
  'userinfo-refused': async (door) => {
    const fake = fakeProvider();
    const app = appOf(door, { providers: [oidc(fake, { idToken: false })] });
    fake.faults.userinfo = { status: 403 };
    await app.signIn(fake);
    return app;
  },
  'email-unverified': async (door) => {
    const fake = fakeProvider();
    const app = appOf(door, { adapter: memoryAdapter(), providers: [oidc(fake, { unverifiedEmail: 'refuse' })] });
    await app.signIn(fake, { consent: { user: { sub: 'x', email: 'x@example.com', email_verified: false } } });
    return app;
  },
  'account-not-linked': async (door) => {
    const fake = fakeProvider();
    const providers = [oidc(fake), oidc(fake, { id: 'second' })];
    const app = appOf(door, { adapter: memoryStore().adapter, session: { strategy: 'jwt' }, providers });
    await app.signIn(fake);
    await app.signIn(fake, { id: 'second', browser: app.visitor() });
    return app;
  },
  'access-denied': async (door) => {
    const { app, fake } = withFake(door, { callbacks: { signIn: () => false } });
    await app.signIn(fake);
    return app;
  },
  credentials: async (door) => {
    const app = appOf(door, { providers: [Credentials({ authorize: () => null })] });
    await app.post('callback/credentials');
    return app;
  },
  'link-used': async (door) => {
    const app = mail(door, null);
    await app.browser.get(LINK);
    return app;
  },
  'link-expired': async (door) => {
    const app = mail(door, new Date(0));
    await app.browser.get(LINK);
    return app;
  },
  passkey: async (door) => {
    const app = passkeyScene(door, {}, { call } as never);
    await app.register('ada@example.com', { lies: { origin: 'https://evil.test' } });
    return app;
  },
  'address-refused': async (door) => {
    const app = mail(door, null);
    await app.post('signin/mail', { email: 'no address' });
    return app;
  },
  'mail-failed': async (door) => {
    const app = mail(door, null, fail);
    await app.post('signin/mail', { email: 'a@b.test' });
    return app;
  },
};

describe.each(doors)('a refused request, through $name', (door) => {
  it.each(Object.keys(provoke) as (keyof typeof provoke)[])('has the cause %s in its error', async (cause) => {
    const app = await provoke[cause](door);
    expect(app.log.errors.at(-1)?.refusal).toBe(cause);
    if (cause !== 'passkey') expect(recentRefusals()[0]).toMatchObject({ cause, type: app.log.errors.at(-1)?.type });
  });

  it('is on the page `explain` in development, with the session of the browser', async () => {
    const env = { NODE_ENV: 'development' };
    const { app } = withFake(door);
    await app.browser.get('/auth/callback/fake?error=server_error%1b%3Cb%3E');
    const { withEnv } = await import('../../src/config/env.ts');
    const { config, call: own } = withEnv({ ...app.config, basePath: '/auth' }, env);
    const page = await door.ask(new Request('http://localhost:3000/auth/explain'), config, own);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(text).toContain('<code>cookie-missing</code>');
    expect(text).toContain('OAuthCallbackError (callback');
    expect(text).toContain('error: server_error\ufffd&lt;b&gt;');
  });

  it.each<[Record<string, string>, origin: string, headers: Record<string, string>]>([
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, 'http://localhost:3000', {}],
    [{ NODE_ENV: 'test' }, 'http://localhost:3000', {}],
    [{}, 'http://shop.test', {}],
    [{}, 'http://localhost:3000', { 'x-forwarded-for': '192.0.2.1' }],
  ])('with %j, %s and %j, `explain` is a path like any other', async (env, origin, headers) => {
    const { withEnv } = await import('../../src/config/env.ts');
    const { config, call: own } = withEnv({ providers: [], secret: SECRET }, env);
    const [page, other] = await Promise.all(
      ['explain', 'unknown'].map((path) => door.ask(new Request(`${origin}/auth/${path}`, { headers }), config, own)),
    );
    expect([page?.status, await page?.text()]).toEqual([400, await other?.text()]);
    expect([...(page?.headers ?? [])]).toEqual([...(other?.headers ?? [])]);
  });
});

describe('explain() about a form', () => {
  const env = { NODE_ENV: 'development', AUTH_SECRET: SECRET };
  const config: AuthConfig = { providers: [oidc(fakeProvider())] };
  const ask = (path: string, init?: RequestInit) =>
    explain(new Request(`http://localhost:3000/auth/${path}`, init), config, { env });
  const form = (fields: Record<string, string> = {}) => ({ method: 'POST', body: new URLSearchParams(fields) });

  it('names the cause without carrying the request out', async () => {
    const provoked = [
      await ask('signout', form()),
      await ask('csrf', form()),
      await ask('callback/unknown?code=x'),
      await ask('callback/fake?error=access_denied'),
      await ask('callback/fake?code=x&state=y'),
    ];
    expect(provoked.map(({ outcome, cause }) => [outcome, cause])).toEqual([
      ['refused', 'csrf-missing'],
      ['refused', 'method'],
      ['refused', 'provider-unknown'],
      ['refused', 'provider-error'],
      ['refused', 'flow-missing'],
    ]);
  });

  it('says that nothing is wrong if the browser has the cookies of the sign-in', async () => {
    const fake = fakeProvider();
    const app = scene(doors[0] as Door, { providers: [oidc(fake)] });
    const answer = await fake.authorize((await app.begin()).location ?? '');
    const cookie = app.browser.cookies
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const own = { ...app.config, basePath: '/auth' };
    const request = new Request(answer, { headers: { cookie } });
    const { outcome, steps } = await explain(request, own, {
      env: { NODE_ENV: 'development' },
      call: { now: app.clock.now },
    });
    expect([outcome, steps.at(-1)]).toEqual(['accepted', 'callback: the browser has the cookies of this sign-in']);
  });

  it('finds a session that was ended in its record', async () => {
    const store = MemorySessionRecords();
    const fake = fakeProvider();
    const app = scene(doors[0] as Door, { providers: [oidc(fake)], session: { records: { store } } });
    await app.signIn(fake);
    const cookie = app.browser.cookies
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const own = { ...app.config, basePath: '/auth' };
    const read = () =>
      explain(new Request('http://localhost:3000/', { headers: { cookie } }), own, {
        env: { NODE_ENV: 'development' },
        call: { now: app.clock.now },
      });
    expect((await read()).outcome).toBe('session');
    const sealed = app.browser.cookies.get('authjs.session-token')?.value ?? '';
    const token = await decode({ token: sealed, secret: SECRET, salt: 'authjs.session-token' });
    const { sid } = Object(token?.['latchkey']) as { sid: string };
    await store.remove([sid]);
    expect(await read()).toMatchObject({ outcome: 'no-session', cause: 'session-ended' });
  });
});

it('each cause has a text, a remedy, and names of facts', () => {
  for (const { text, remedy, facts } of Object.values(causes)) {
    expect(text).toMatch(/^[`A-Z].*\.$/);
    expect(remedy).toMatch(/^[`A-Z].*\.$/);
    expect(facts.length).toBeGreaterThan(0);
  }
});
