import { describe, expect, it } from 'vitest';
import { AccessDenied, CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, oidcScene, type Scene, scene, startsSession } from './scene.ts';
import { memoryStore } from './store.ts';

describe.each(oneDoor)('the signIn callback through $name', (door) => {
  const ways: [
    string,
    (config: Partial<AuthConfig>) => Promise<{ app: Scene; page: Awaited<ReturnType<Scene['post']>> }>,
  ][] = [
    [
      'OAuth',
      async (config) => {
        const { app, fake } = oidcScene(door, {}, { ...config });
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

  it.each(ways)('accepts a sign-in by %s with true', async (_, go) => {
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
      expect(app.log.errors[0]?.message).toContain('the `signIn` callback refused');
      expect(store.users.size).toBe(0);
      expect(events).toEqual([]);
    },
  );

  it.each(ways)('refuses a sign-in by %s if it throws, and the page does not show the reason', async (_, go) => {
    for (const reason of [new Error('secret reason'), 'secret reason']) {
      const { app, page } = await go({ callbacks: { signIn: () => Promise.reject(reason) } });
      expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
      expect((await app.browser.follow(page)).text()).not.toContain('secret reason');
      expect(app.log.errors[0]?.message).toMatch(/^secret reason\. /);
      expect(app.log.errors[0]?.cause?.err?.message).toBe('secret reason');
    }
  });

  it.each(ways)('passes on an AuthError that it throws, by %s', async (_, go) => {
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

  it('gets the stored user if the account is known', async () => {
    const seen: unknown[] = [];
    const fake = fakeProvider();
    const store = memoryStore();
    const app = scene(door, {
      providers: [oidc(fake)],
      adapter: store.adapter,
      session: { strategy: 'jwt' },
      callbacks: { signIn: (params) => Boolean(seen.push(params)) },
    });
    await app.signIn(fake);
    await app.signIn(fake);
    const [id] = store.users.keys();
    const account = expect.objectContaining({ provider: 'fake', providerAccountId: 'ada-1815' });
    const profile = expect.objectContaining({ sub: 'ada-1815' });
    const users = [expect.stringMatching(/^[\da-f-]{36}$/), id].map((one) => expect.objectContaining({ id: one }));
    expect(seen).toEqual(users.map((user) => ({ user, account, profile, emailStatus: 'verified' })));
  });
});
