import { describe, expect, it } from 'vitest';
import { AccessDenied, CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types.ts';
import { doors } from './doors.ts';
import {
  expectRefused,
  fakeProvider,
  leadsTo,
  noting,
  oidc,
  type Scene,
  scene,
  sessionCookies,
  startsSession,
} from './scene.ts';
import { memoryStore } from './store.ts';

class Limited extends CredentialsSignin {
  override code = 'too&many\r\ntimes';
}

describe.each(doors)('the signIn callback through $name', (door) => {
  const ways: [
    string,
    (config: Partial<AuthConfig>) => Promise<{ app: Scene; page: Awaited<ReturnType<Scene['post']>> }>,
  ][] = [
    [
      'OAuth',
      async (config) => {
        const fake = fakeProvider();
        const app = scene(door, { providers: [oidc(fake)], ...config });
        return { app, page: await app.signIn(fake, { fields: { callbackUrl: '/in' } }) };
      },
    ],
    [
      'credentials',
      async (config) => {
        const app = scene(door, { providers: [Credentials({ authorize: () => ({ id: 'ada' }) })], ...config });
        return { app, page: await app.post('callback/credentials', { callbackUrl: '/in' }) };
      },
    ],
  ];

  it.each(ways)('lets in by %s with true', async (_, go) => {
    const { page } = await go({ callbacks: { signIn: () => true } });
    expect(startsSession(page)).toBe(true);
    expect(leadsTo(page)).toBe('/in');
  });

  it.each(ways.flatMap(([name, go]) => [false, undefined, null, 0, ''].map((answer) => [name, answer, go] as const)))(
    'refuses by %s with %j: no session, nothing stored, no event',
    async (name, answer, go) => {
      const store = memoryStore();
      const events: string[] = [];
      const { app, page } = await go({
        ...(name === 'OAuth' ? { adapter: store.adapter, session: { strategy: 'jwt' as const } } : {}),
        callbacks: { signIn: () => answer as never },
        events: { signIn: () => void events.push('signIn'), createUser: () => void events.push('createUser') },
      });
      expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
      expect(startsSession(page)).toBe(false);
      expect(app.log.types()).toEqual(['AccessDenied']);
      expect(store.users.size).toBe(0);
      expect(events).toEqual([]);
    },
  );

  it.each(ways)('refuses by %s when it throws, and the page tells nothing of why', async (_, go) => {
    for (const reason of [new Error('secret reason'), 'secret reason']) {
      const { app, page } = await go({ callbacks: { signIn: () => Promise.reject(reason) } });
      expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
      expect((await app.browser.follow(page)).text()).not.toContain('secret reason');
      expect(app.log.errors[0]?.message).toMatch(/^secret reason\. /);
      expect(app.log.errors[0]?.cause?.err?.message).toBe('secret reason');
    }
  });

  it.each(ways)('passes on by %s an AuthError that it throws', async (_, go) => {
    const { app, page } = await go({ callbacks: { signIn: () => Promise.reject(new CredentialsSignin('no')) } });
    expectRefused(app, page, 'CredentialsSignin&code=credentials');
    const denied = await go({ callbacks: { signIn: () => Promise.reject(new AccessDenied('no')) } });
    expect(leadsTo(denied.page)).toBe('/auth/error?error=AccessDenied');
  });

  it.each(ways)('sends by %s to the path it returns, without a session', async (_, go) => {
    const { page } = await go({ callbacks: { signIn: () => '/sign-up?step=1' } });
    expect(page.location).toBe('http://localhost:3000/sign-up?step=1');
    expect(startsSession(page)).toBe(false);
    const foreign = await go({ callbacks: { signIn: () => 'https://evil.example/' } });
    expect(foreign.page.location).toBe('http://localhost:3000');
    const allowed = await go({ callbacks: { signIn: () => 'https://partner.example/', redirect: ({ url }) => url } });
    expect(allowed.page.location).toBe('https://partner.example/');
  });

  it('sees the user of the store where the account is known', async () => {
    const seen: unknown[] = [];
    const fake = fakeProvider();
    const store = memoryStore();
    const app = scene(door, {
      providers: [oidc(fake)],
      adapter: store.adapter,
      session: { strategy: 'jwt' },
      callbacks: { signIn: ({ user, profile }) => Boolean(seen.push([user.id, profile?.sub])) },
    });
    await app.signIn(fake);
    await app.signIn(fake);
    const [id] = store.users.keys();
    expect(seen).toEqual([
      [expect.stringMatching(/^[\da-f-]{36}$/), 'ada-1815'],
      [id, 'ada-1815'],
    ]);
  });
});

describe.each(doors)('credentials through $name', (door) => {
  function app(
    authorize: (credentials: Record<string, unknown>, request: Request) => unknown,
    more: Partial<AuthConfig> = {},
  ): Scene {
    return scene(door, { providers: [Credentials({ authorize: authorize as never })], ...more });
  }

  it('sign in whom the application knows, with what was typed, exactly', async () => {
    const seen: unknown[] = [];
    const site = app(async (credentials, request) => {
      seen.push(
        credentials,
        await request.json(),
        request.method,
        request.headers.get('content-type'),
        request.headers.get('x-mark'),
      );
      return { id: 7, name: 'Ada', email: 'ada@example.com' };
    });
    const { csrfToken } = (await site.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const typed = { csrfToken, name: 'ada', password: '  p&ä+ %20 ' };
    const page = await site.browser.post('/auth/callback/credentials?password=query', typed, {
      headers: { 'x-mark': 'm' },
    });
    expect(startsSession(page)).toBe(true);
    expect(seen).toEqual([typed, typed, 'POST', 'application/json', 'm']);
    expect(await site.session()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } });
  });

  it('tell callbacks and events in their own shape', async () => {
    const seen: unknown[] = [];
    const site = app(() => ({ id: 7 }), {
      callbacks: {
        signIn: (params) => Boolean(seen.push(params)),
        jwt: (params) => (params.account ? noting(seen, params, params.token) : params.token),
      },
      events: { signIn: (message) => void seen.push(message) },
    });
    await site.post('callback/credentials', { name: 'x' });
    const account = { provider: 'credentials', type: 'credentials', providerAccountId: '7' };
    expect(seen).toEqual([
      { user: { id: '7' }, account, credentials: expect.objectContaining({ name: 'x' }) },
      { token: expect.objectContaining({ sub: '7' }), user: { id: '7' }, account, isNewUser: false, trigger: 'signIn' },
      { user: { id: '7' }, account },
    ]);
  });

  it.each([null, undefined, false, 0, ''])('are refused when authorize returns %j', async (user) => {
    const site = app(() => user);
    expectRefused(
      site,
      await site.post('callback/credentials', { password: 'x' }),
      'CredentialsSignin&code=credentials',
    );
  });

  it('are refused with the code of the application, encoded', async () => {
    const site = app(() => {
      throw new Limited();
    });
    const page = await site.post('callback/credentials');
    expect(page.redirect?.searchParams.get('code')).toBe('too&many\r\ntimes');
    expect(page.location).not.toMatch(/[\r\n]/);
    expect(page.setCookies.length).toBe(0);
  });

  it('are refused without a reason when authorize breaks', async () => {
    const site = app(() => {
      throw new Error('the password was "hunter2"');
    });
    const page = await site.post('callback/credentials');
    expect(page.location).toMatch(/\/auth\/error\?error=Configuration/);
    expect((await site.browser.follow(page)).text()).not.toContain('hunter2');
    expect(site.log.types()).toEqual(['CallbackRouteError']);
    expect(sessionCookies(site.browser)).toEqual([]);
  });

  it('are refused without our token, and never asked for', async () => {
    const calls: unknown[] = [];
    const site = app(() => noting(calls, 1, { id: 'x' }));
    expectRefused(site, await site.browser.post('/auth/callback/credentials', { password: 'x' }), 'MissingCSRF');
    expect(calls).toEqual([]);
  });

  it('in JSON pollute nothing', async () => {
    const seen: Record<string, unknown>[] = [];
    const site = app((credentials) => noting(seen, credentials, null));
    const { csrfToken } = (await site.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = `{"csrfToken":"${csrfToken}","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}`;
    await site.browser.open('/auth/callback/credentials', { body, headers: { 'content-type': 'application/json' } });
    expect(seen[0]?.admin).toBeUndefined();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});
