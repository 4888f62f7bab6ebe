import { describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig, Profile } from '../../src/types.ts';
import { doors } from './doors.ts';
import { asked, expectRefused, fakeProvider, oidc, scene, startsSession } from './scene.ts';
import { memoryStore } from './store.ts';

const unverified = { consent: { user: { sub: 'eve', email: 'eve@example.com', email_verified: false } } };
const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined } as const;

/** An application whose provider `fake` creates users under unverified addresses as long as nobody else opens by address. */
function unshared(door: (typeof doors)[number], others: AuthConfig['providers']) {
  const fake = fakeProvider();
  const store = memoryStore();
  const tokens = { createVerificationToken: () => null, useVerificationToken: () => null };
  const app = scene(door, {
    providers: [oidc(fake, { unverifiedEmail: 'unshared' }), ...others],
    adapter: { ...store.adapter, ...tokens },
    session: { strategy: 'jwt' },
  });
  return { app, fake, store };
}

describe.each(doors)('an address that its provider does not vouch for, through $name', (door) => {
  const second = (own: Partial<OIDCConfig<Profile>> = {}) => oidc(fakeProvider(), { id: 'second', ...own });

  it('opens an account of its own where nobody else would come in by it', async () => {
    const { app, fake, store } = unshared(door, [second()]);
    expect(startsSession(await app.signIn(fake, unverified))).toBe(true);
    expect(store.users.size).toBe(1);
  });

  it.each([
    ['a mailed link', mail],
    ['a provider that links by address', second({ allowDangerousEmailAccountLinking: true })],
  ])('opens none where its owner could come later, by %s', async (_, other) => {
    const { app, fake, store } = unshared(door, [other]);
    expectRefused(app, await app.signIn(fake, unverified), 'OAuthCreateAccount');
    expect(store.users.size).toBe(0);
  });
});

describe.each(doors)('the request and the callback of a provider through $name', (door) => {
  it('have each parameter once, also where the configured address has one of ours', async () => {
    const fake = fakeProvider();
    const url = `${fake.endpoints.authorization}?state=fixed&code_challenge=fixed&theme=dark`;
    const app = scene(door, { providers: [oidc(fake, { authorization: url, checks: ['pkce', 'state'] })] });
    const started = await app.begin();
    const params = started.redirect?.searchParams;
    for (const name of ['state', 'code_challenge'])
      expect(params?.getAll(name)).toEqual([expect.not.stringMatching(/^fixed$/)]);
    expect(asked(started).theme).toBe('dark');
  });

  it.each(['code', 'state', 'iss', 'error', 'error_description', 'response', 'id_token'])(
    'are refused with two of %s',
    async (name) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
      const address = await fake.authorize((await app.begin()).location ?? '');
      const page = await app.finish(`${address}&${name}=1&${name}=2`);
      expect(startsSession(page)).toBe(false);
      expect(app.log.errors[0]?.message).toMatch(`the callback has more than one "${name}"`);
    },
  );

  it.each([
    ['pkce', 'authjs.pkce.code_verifier'],
    ['state', 'authjs.state'],
    ['nonce', 'authjs.nonce'],
  ] as const)('are told apart in the log: the check that has failed is %s', async (check, cookie) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: [check] })] });
    const address = await fake.authorize((await app.begin()).location ?? '');
    app.browser.cookies.delete(cookie);
    await app.finish(address);
    expect(app.log.types()).toEqual(['InvalidCheck']);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check });
  });
});
