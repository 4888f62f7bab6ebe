import { MemorySessionRecords } from '@latchkey/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { config, fakeProvider, logged, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});

/** Posts a logout token to an application with a signed-in visitor, as a provider's server does. */
async function logOut(headers: Record<string, string>) {
  const fake = fakeProvider();
  const records = { store: MemorySessionRecords(), revocationLag: 0 };
  play(config({ providers: [fake.provider()], session: { records }, logout: { backchannel: true } }));
  const browser = kit.browser();
  const begun = await browser.post('/shop/auth/signin/fake');
  await browser.get(await fake.authorize(begun.location ?? ''), { site: 'cross-site' });
  expect((await browser.get('/shop/auth/session')).json()).toMatchObject({ user: { email: 'ada@example.com' } });
  const logout_token = await fake.logoutToken();
  const server = kit.browser({ sendMetadata: false });
  const answer = await server.post('/shop/auth/logout/fake', { logout_token }, { headers });
  const session = (await browser.get('/shop/auth/session')).json();
  return { answer, isSignedIn: session !== null };
}

describe('a logout token of a provider', () => {
  it('does not reach the hook without an `Origin`: Kit refuses the form', async () => {
    const { answer, isSignedIn } = await logOut({});
    expect([answer.status, answer.text(), isSignedIn]).toEqual([403, expect.stringContaining('Cross-site'), true]);
  });

  it.each(['http://localhost:3000', 'https://trusted-idp.test'])(
    'ends the session if a proxy sets `Origin` to that of the site, or to one that Kit trusts: %s',
    async (origin) => {
      const { answer, isSignedIn } = await logOut({ origin });
      expect([answer.status, isSignedIn, logged]).toEqual([200, false, []]);
    },
  );
});
