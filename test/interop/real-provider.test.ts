import { Browser, type Page } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latchkey } from '../peers/libraries.ts';
import { crossings, secret } from './servers.ts';

const origin = 'http://localhost:3000';
const client = { client_id: 'app', client_secret: 'a secret of at least 32 characters, certainly' };
let provider: OidcProvider;

beforeAll(async () => {
  provider = await startOidcProvider({
    host: '127.0.0.1',
    clients: [{ ...client, redirect_uris: [`${origin}/auth/callback/idp`] }],
  });
});
afterAll(() => provider.close());

describe.each(crossings)('a sign-in at a real OpenID provider, $title', ({ from, to }) => {
  it.each([[['pkce']], [['pkce', 'state']], [['nonce']]])('with the checks %s ends in a session', async (checks) => {
    const current = { library: latchkey };
    const config = {
      secret,
      trustHost: true,
      logger: { warn: () => undefined },
      providers: [
        {
          id: 'idp',
          name: 'Identity provider',
          type: 'oidc',
          issuer: provider.issuer,
          clientId: client.client_id,
          clientSecret: client.client_secret,
          checks,
        },
      ],
    };
    const browser = new Browser((request) =>
      request.url.startsWith(origin) ? current.library.auth(request, { ...config }) : fetch(request),
    );
    const isBack = (page: Page): boolean => page.redirect?.origin === origin;

    current.library = from;
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const redirect = await browser.post('/auth/signin/idp', { csrfToken, callbackUrl: '/inside' });
    const login = await browser.follow(redirect, { until: 'page' });
    const answer = await browser.submit(browser.form(login), { login: 'grace', password: 'password' });
    const back = isBack(answer) ? answer : await browser.follow(answer, { until: isBack });

    current.library = to;
    expect((await browser.follow(back)).location).toBe(`${origin}/inside`);
    for (const library of [to, from]) {
      current.library = library;
      expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { email: 'grace@example.com' } });
    }
    expect(browser.rejected).toEqual([]);
  });
});
