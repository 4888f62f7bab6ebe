import { type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig, Profile } from '../../src/types.ts';
import { type App, application, idp, origin, sessionCookie, startProvider } from './scene.ts';

let provider: OidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

interface Stored {
  readonly app: App;
  readonly store: MemoryAdapter['store'];
}

function stored(config: Partial<AuthConfig> = {}, options: Partial<OIDCConfig<Profile>> = {}): Stored {
  const adapter = memoryAdapter();
  return {
    app: application(idp(provider.issuer, options), { config: { adapter, ...config } }),
    store: adapter.store,
  };
}

describe.each(['database', 'jwt'] as const)('with users in a store and %s sessions', (strategy) => {
  it('a first sign-in makes a user with an account, the next finds them', async () => {
    const { app, store } = stored({ session: { strategy } });
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
    await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } });
    expect([...store.users.values()]).toMatchObject([{ email: 'ada@example.com', emailVerified: null }]);
    expect([...store.accounts.values()]).toMatchObject([
      { provider: 'idp', providerAccountId: 'user-ada', type: 'oidc' },
    ]);
    expect(store.sessions.size).toBe(strategy === 'database' ? 1 : 0);
    expect(app.log).toEqual([]);
  });

  it('an address that the provider does not vouch for makes no user', async () => {
    const { app, store } = stored({ session: { strategy } });
    expect((await app.signIn('kim')).location).toBe(`${origin}/auth/signin?error=OAuthCreateAccount`);
    expect(await app.session()).toBeNull();
    expect(app.browser.cookies.has(sessionCookie)).toBe(false);
    expect([store.users.size, store.accounts.size, store.sessions.size]).toEqual([0, 0, 0]);
    expect(app.log).toEqual(['OAuthCreateAccountError']);
  });

  it('it makes one where the configuration says so', async () => {
    const { app, store } = stored({ session: { strategy } }, { unverifiedEmail: 'allow' });
    expect((await app.signIn('kim')).location).toBe(`${origin}/inside`);
    expect([...store.users.values()]).toMatchObject([{ email: 'kim@example.com' }]);
  });

  it('such an address never takes over the user who has it', async () => {
    const { app, store } = stored(
      { session: { strategy } },
      { allowDangerousEmailAccountLinking: true, unverifiedEmail: 'allow' },
    );
    store.users.set('u-kim', { id: 'u-kim', email: 'kim@example.com', name: 'The real Kim', emailVerified: null });
    expect((await app.signIn('kim')).location).toBe(`${origin}/auth/signin?error=OAuthAccountNotLinked`);
    expect(await app.session()).toBeNull();
    expect(store.accounts.size).toBe(0);
  });

  it('an address that a user has is refused, and linked where the configuration says so', async () => {
    for (const allowed of [false, true]) {
      const { app, store } = stored({ session: { strategy } }, { allowDangerousEmailAccountLinking: allowed });
      store.users.set('u-ada', { id: 'u-ada', email: 'ada@example.com', name: 'Ada', emailVerified: null });
      const landed = await app.signIn();
      expect(landed.location).toBe(allowed ? `${origin}/inside` : `${origin}/auth/signin?error=OAuthAccountNotLinked`);
      expect(store.users.size).toBe(1);
      expect([...store.accounts.values()].map(({ userId }) => userId)).toEqual(allowed ? ['u-ada'] : []);
    }
  });
});

describe('without a store', () => {
  it('an address that the provider does not vouch for signs in: there is nobody to mistake it for', async () => {
    const app = application(idp(provider.issuer));
    expect((await app.signIn('kim')).location).toBe(`${origin}/inside`);
    expect(await app.session()).toMatchObject({ user: { email: 'kim@example.com' } });
  });
});
