import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryAdapter } from '../../../../test/peers/memory-adapter.ts';
import type { Adapter } from '../../src/adapters.ts';
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
  readonly tables: ReturnType<typeof memoryAdapter>['tables'];
}

function stored(config: Partial<AuthConfig> = {}, options: Partial<OIDCConfig<Profile>> = {}): Stored {
  const { adapter, tables } = memoryAdapter();
  return {
    app: application(idp(provider.issuer, options), { config: { adapter: adapter as Adapter, ...config } }),
    tables,
  };
}

describe.each(['database', 'jwt'] as const)('with users in a store and %s sessions', (strategy) => {
  it('a first sign-in makes a user with an account, the next finds them', async () => {
    const { app, tables } = stored({ session: { strategy } });
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
    await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } });
    expect([...tables.users.values()]).toMatchObject([{ email: 'ada@example.com', emailVerified: null }]);
    expect(tables.accounts).toMatchObject([{ provider: 'idp', providerAccountId: 'user-ada', type: 'oidc' }]);
    expect(tables.sessions.size).toBe(strategy === 'database' ? 1 : 0);
    expect(app.log).toEqual([]);
  });

  it('an address that the provider does not vouch for makes no user', async () => {
    const { app, tables } = stored({ session: { strategy } });
    expect((await app.signIn('kim')).location).toBe(`${origin}/auth/signin?error=OAuthCreateAccount`);
    expect(await app.session()).toBeNull();
    expect(app.browser.cookies.has(sessionCookie)).toBe(false);
    expect([tables.users.size, tables.accounts.length, tables.sessions.size]).toEqual([0, 0, 0]);
    expect(app.log).toEqual(['OAuthCreateAccountError']);
  });

  it('it makes one where the configuration says so', async () => {
    const { app, tables } = stored({ session: { strategy } }, { unverifiedEmail: 'allow' });
    expect((await app.signIn('kim')).location).toBe(`${origin}/inside`);
    expect([...tables.users.values()]).toMatchObject([{ email: 'kim@example.com' }]);
  });

  it('such an address never takes over the user who has it', async () => {
    const { app, tables } = stored(
      { session: { strategy } },
      { allowDangerousEmailAccountLinking: true, unverifiedEmail: 'allow' },
    );
    tables.users.set('u-kim', { id: 'u-kim', email: 'kim@example.com', name: 'The real Kim', emailVerified: null });
    expect((await app.signIn('kim')).location).toBe(`${origin}/auth/signin?error=OAuthAccountNotLinked`);
    expect(await app.session()).toBeNull();
    expect(tables.accounts).toEqual([]);
  });

  it('an address that a user has is refused, and linked where the configuration says so', async () => {
    for (const allowed of [false, true]) {
      const { app, tables } = stored({ session: { strategy } }, { allowDangerousEmailAccountLinking: allowed });
      tables.users.set('u-ada', { id: 'u-ada', email: 'ada@example.com', name: 'Ada', emailVerified: null });
      const landed = await app.signIn();
      expect(landed.location).toBe(allowed ? `${origin}/inside` : `${origin}/auth/signin?error=OAuthAccountNotLinked`);
      expect(tables.users.size).toBe(1);
      expect(tables.accounts.map((account) => account['userId'])).toEqual(allowed ? ['u-ada'] : []);
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
