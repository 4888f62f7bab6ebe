import { customFetch } from '@latchkey/core';
import GitHub from '@latchkey/core/providers/github';
import {
  DEFAULT_SECRET,
  FakeProvider,
  type FakeProviderOptions,
  type IdTokenFault,
  idTokenFaults,
} from '@latchkey/testing';
import { type Application, application, leadsTo, sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { equal, holds, matches } from './expect.ts';

/** Goes to the provider and back. */
async function signIn(app: Application, fake: FakeProvider, id = 'fake'): Promise<string | undefined> {
  const started = await app.post(`signin/${id}`, { callbackUrl: '/in' });
  const back = await fake.authorize(started.location ?? '');
  return leadsTo(await app.browser.get(back, { site: 'cross-site' }));
}

function withPlain(): { app: Application; fake: FakeProvider } {
  const fake = new FakeProvider({ oidc: false, requirePkce: true, issParameter: false });
  const provider = fake.plainProvider({ id: 'fake', checks: ['state', 'pkce'] });
  return { fake, app: application({ providers: [provider] }) };
}

function withOidc(options: FakeProviderOptions): { app: Application; fake: FakeProvider } {
  const fake = new FakeProvider(options);
  const provider = fake.provider({ id: 'fake', checks: ['state', 'pkce', 'nonce'] });
  return { fake, app: application({ providers: [provider] }) };
}

export const oauth: Cases = {
  'signs in with OAuth, state and PKCE': async () => {
    const { app, fake } = withPlain();
    equal(await signIn(app, fake), '/in');
    equal((await app.session())?.user?.email, 'ada@example.com');
    const [exchange] = fake.requestsTo('token');
    matches(String(exchange?.body), /code_verifier=[\w-]{43}/, 'the exchange of the code');
    equal(app.errors, []);
  },

  'signs in with a provider of the package': async () => {
    const issuer = 'https://github.com/login/oauth';
    const fake = new FakeProvider({
      issuer,
      oidc: false,
      endpoints: { token: '/access_token', userinfo: 'https://api.github.com/user' },
      users: [{ sub: '7', id: 7, login: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }],
    });
    const github = GitHub({ clientId: 'client', clientSecret: DEFAULT_SECRET, [customFetch]: fake.fetch });
    const app = application({ providers: [github] });
    equal(await signIn(app, fake, 'github'), '/in');
    equal((await app.session())?.user?.email, 'ada@example.com');
  },

  'refuses another state than its own': async () => {
    const { app, fake } = withPlain();
    const started = await app.post('signin/fake');
    const back = new URL(await fake.authorize(started.location ?? ''));
    back.searchParams.set('state', 'another');
    holds(leadsTo(await app.browser.get(back, { site: 'cross-site' }))?.includes('error=') === true, 'it is an error');
    equal(sessionCookies(app), []);
    equal(fake.count('token'), 0, 'codes exchanged');
  },

  'refuses a code that another visitor started': async () => {
    const { app, fake } = withPlain();
    const started = await app.post('signin/fake');
    const back = await fake.authorize(started.location ?? '');
    const victim = withPlain().app;
    await victim.browser.get(back, { site: 'cross-site' });
    equal(sessionCookies(victim), []);
  },
};

/** Responses that each runtime must reject. `@latchkey/testing` has more of them, and the tests of core have all. */
const refused: readonly IdTokenFault[] = [
  'wrongNonce',
  'missingNonce',
  'algNone',
  'algConfusion',
  'wrongSignature',
  'emptySignature',
  'wrongIssuer',
  'wrongAudience',
  'expired',
];

export const oidc: Cases = {
  ...Object.fromEntries(
    (['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] as const).map((signingAlgorithm) => [
      `signs in with OpenID Connect, ${signingAlgorithm}`,
      async () => {
        const fake = new FakeProvider({ signingAlgorithm });
        const own = signingAlgorithm === 'HS256' ? { client: { id_token_signed_response_alg: 'HS256' } } : {};
        const app = application({ providers: [fake.provider({ id: 'fake', ...own })] });
        equal(await signIn(app, fake), '/in');
        equal((await app.session())?.user?.name, 'Ada Lovelace');
        equal(await signIn(app, fake), '/in', 'with keys that are known');
        equal(app.errors, []);
        fake.misbehave({ idToken: idTokenFaults[signingAlgorithm === 'HS256' ? 'cutSignature' : 'wrongSignature'] });
        matches(await signIn(app, fake), /error=/, 'with a wrong signature');
      },
    ]),
  ),
  ...Object.fromEntries(
    refused.map((fault) => [
      `refuses an ID token: ${fault}`,
      async () => {
        const { app, fake } = withOidc({ signingAlgorithm: 'ES256' });
        fake.misbehave({ idToken: idTokenFaults[fault] });
        matches(await signIn(app, fake), /error=/);
        equal(sessionCookies(app), []);
        fake.behave();
        equal(await signIn(app, fake), '/in', 'once the provider is right again');
      },
    ]),
  ),
};
