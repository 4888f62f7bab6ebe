import { type FakeProvider, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import { type PasskeyScene, passkeyScene } from './passkey-scene.ts';
import { fakeProvider, leadsExactlyTo, leadsTo, oidc, startsSession } from './scene.ts';

const ADDRESS = 'ada@example.com';

/** Ada has registered a passkey and is signed in. */
async function site(
  strategy: 'jwt' | 'database',
  pages: AuthConfig['pages'] = {},
): Promise<{ app: PasskeyScene; fake: FakeProvider }> {
  const [door] = doors;
  if (!door) return expect.unreachable();
  const fake = fakeProvider();
  const providers = [Passkey({ unverifiedEmail: 'allow' }), oidc(fake)];
  const app = passkeyScene(door, {}, { config: { providers, pages, linking: 'guided', session: { strategy } } });
  expect(startsSession(await app.register(ADDRESS))).toBe(true);
  return { app, fake };
}

describe.each(['jwt', 'database'] as const)('passkeys with guided linking and %s sessions', (strategy) => {
  it('the user of the offer is asked after a sign-in with a passkey', async () => {
    const { app, fake } = await site(strategy);
    await app.post('signout');
    const user = { sub: 'ada', email: ADDRESS, email_verified: true };
    expect(leadsExactlyTo(await app.signIn(fake, { consent: { user } }))).toMatch(
      /error=OAuthAccountNotLinked.*reason=offer/,
    );
    const page = await app.enter();
    expect([startsSession(page), page.redirect?.pathname]).toEqual([true, '/auth/offer']);
    const question = await app.browser.get(page.location ?? '');
    const started = await app.browser.submit(app.browser.form(question));
    await app.finish(await fake.authorize(started.location ?? '', { user }));
    expect(app.adapter.dump().accounts.map(({ provider }) => provider)).toEqual(['passkey', 'fake']);
  });

  it("another user's passkey is refused, and the session stays", async () => {
    const { app, fake } = await site(strategy);
    const other = app.visitor();
    await app.signIn(fake, {
      browser: other,
      consent: { user: { sub: 'bob', email: 'bob@example.com', email_verified: true } },
    });
    expect(leadsTo(await app.enter({ browser: other }))).toBe('/auth/signin?error=AccountNotLinked');
    expect(await app.session(other)).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it.each([
    ['the built-in sign-in page', {}],
    ["the application's own sign-in page", { signIn: '/login' }],
  ])('with %s, the page of further ways leads to the button that adds a passkey', async (_, pages) => {
    const { app } = await site(strategy, pages);
    const ways = await app.browser.get('/auth/signin?add');
    const [, href = ''] = /href="([^"]*step=passkey[^"]*)"/.exec(ways.text()) ?? [];
    const page = await app.browser.get(href.replaceAll('&amp;', '&'));
    expect(page.text()).toMatch(/data-ceremony="register" disabled>Add a passkey</);
    expect(page.text()).toContain(`<strong><bdi>${ADDRESS}</bdi></strong>`);
    expect(app.browser.forms(page)).toHaveLength(1);
    await app.post('signout');
    const signedOut = await app.browser.get('/auth/signin?step=passkey');
    expect(signedOut.text()).not.toContain('Add a passkey');
  });

  it('a further passkey needs a sign-in of the last 10 minutes, and no offer', async () => {
    const { app } = await site(strategy);
    expect(startsSession(await app.add({ authenticator: new SoftwareAuthenticator() }))).toBe(true);
    expect(app.adapter.dump().authenticators).toHaveLength(2);
    app.clock.advance(601);
    expect((await app.ask({ action: 'register' })).json()).toEqual({ error: 'RecentSignInRequired' });
  });
});
