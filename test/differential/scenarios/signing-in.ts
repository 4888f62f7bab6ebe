import type { Kit } from '../kit.ts';
import type { Scenario, Visit } from '../visit.ts';

const checked = (kit: Kit): object => ({
  providers: [kit.idp({ checks: ['pkce', 'state', 'nonce'] }), kit.plain({ checks: ['pkce', 'state'] })],
  callbacks: kit.callbacks(),
  events: kit.events(),
});

/** Comes back after something has happened to the browser or the provider. */
function afterwards(happens: (visit: Visit) => unknown, id = 'idp'): Scenario['visit'] {
  return async (visit) => {
    const redirect = await visit.post(`/auth/signin/${id}`, { callbackUrl: '/inside' });
    await happens(visit);
    await visit.comeBack(redirect);
  };
}

/** Sign-ins through a provider, without a store. */
export const signingIn: readonly Scenario[] = [
  {
    title: 'a sign-in with OpenID Connect, the session, an update, the sign-out',
    async visit(visit) {
      await visit.signIn();
      await visit.get('/auth/session');
      await visit.post('/auth/session', { data: { name: 'Countess' } }, { json: true });
      await visit.get('/auth/session');
      await visit.post('/auth/signout', { callbackUrl: '/bye' });
      await visit.get('/auth/session');
    },
  },
  { title: 'a sign-in on https', origin: 'https://app.test', visit: (visit) => visit.signIn() },
  { title: 'a sign-in with plain OAuth', visit: (visit) => visit.signIn('plain') },
  { title: 'a sign-in with all checks', config: checked, visit: (visit) => visit.signIn() },
  {
    title: 'a sign-in whose profile comes from the userinfo endpoint',
    config: (kit) => ({ providers: [kit.idp({ idToken: false })], callbacks: kit.callbacks(), events: kit.events() }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a sign-in with a profile function of the application',
    config: (kit) => ({
      providers: [
        kit.idp({ profile: (claims: { sub: string }) => ({ id: `x-${claims.sub}`, name: 'Ada', role: 'admin' }) }),
      ],
      callbacks: kit.callbacks(),
      events: kit.events(),
    }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a cancelled consent',
    config: checked,
    visit: (visit) => visit.signIn('idp', { deny: 'access_denied', description: 'no' }),
  },
  {
    title: 'a callback without its cookies',
    config: checked,
    visit: afterwards(({ browser }) => {
      for (const name of ['state', 'pkce.code_verifier', 'nonce']) browser.cookies.delete(`authjs.${name}`);
    }),
  },
  {
    title: 'a callback with a cookie that is not sealed',
    config: checked,
    visit: afterwards(({ browser }) => browser.cookies.set('authjs.state', 'garbage')),
  },
  {
    title: 'a callback with another state',
    config: checked,
    visit: (visit) => visit.signIn('idp', { parameters: { state: 'another' } }),
  },
  {
    title: 'a callback without a code',
    config: checked,
    visit: (visit) => visit.signIn('idp', { parameters: { code: undefined } }),
  },
  {
    title: 'a callback of another issuer',
    config: checked,
    visit: (visit) => visit.signIn('idp', { parameters: { iss: 'https://impostor.test' } }),
  },
  {
    title: 'a token endpoint that refuses',
    config: checked,
    visit: afterwards(({ kit }) => {
      kit.provider.faults.token = { status: 400, body: { error: 'invalid_grant' } };
    }),
  },
  {
    title: 'an ID token with another nonce',
    config: checked,
    visit: afterwards(({ kit }) => {
      kit.provider.overrides.idToken = { claims: (claims) => ({ ...claims, nonce: 'another' }) };
    }),
  },
  {
    title: 'a provider that is down when a sign-in starts',
    config: (kit) => {
      kit.provider.faults.discovery = { throw: true };
      return checked(kit);
    },
    visit: (visit) => visit.post('/auth/signin/idp'),
  },
  {
    title: 'a profile function that throws',
    config: (kit) => ({
      providers: [
        kit.idp({
          profile: () => {
            throw new Error('unexpected profile');
          },
        }),
      ],
    }),
    visit: (visit) => visit.signIn(),
  },
  { title: 'GET callback without a provider', visit: (visit) => visit.get('/auth/callback') },
  { title: 'GET callback of an unknown provider', visit: (visit) => visit.get('/auth/callback/unknown?code=x') },
  { title: 'GET callback of credentials', visit: (visit) => visit.get('/auth/callback/credentials') },
  {
    title: 'a signIn callback that refuses',
    config: (kit) => ({ providers: [kit.idp()], callbacks: { signIn: () => false } }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a signIn callback that throws',
    config: (kit) => ({
      providers: [kit.idp()],
      callbacks: {
        signIn: () => {
          throw new Error('the allow list is unreachable');
        },
      },
    }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a signIn callback that sends elsewhere',
    config: (kit) => ({ providers: [kit.idp()], callbacks: { signIn: () => '/join' } }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a jwt callback that ends the session',
    config: (kit) => ({
      providers: [kit.idp()],
      callbacks: { jwt: ({ token, user }: { token: object; user?: object }) => (user ? token : null) },
    }),
    async visit(visit) {
      await visit.signIn();
      await visit.get('/auth/session');
      await visit.get('/auth/session');
    },
  },
  {
    title: 'a session callback that adds members',
    config: (kit) => ({
      providers: [kit.idp()],
      callbacks: { session: ({ session }: { session: object }) => ({ ...session, plan: 'free' }) },
    }),
    async visit(visit) {
      await visit.signIn();
      await visit.get('/auth/session');
    },
  },
  {
    title: 'a redirect callback of the application',
    config: (kit) => ({
      providers: [kit.idp()],
      callbacks: {
        redirect: ({ url, baseUrl }: { url: string; baseUrl: string }) => `${baseUrl}/home?was=${url.length}`,
      },
    }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a session that needs several cookies',
    config: (kit) => ({
      providers: [kit.idp()],
      callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, filler: 'x'.repeat(5000) }) },
    }),
    async visit(visit) {
      await visit.signIn();
      await visit.get('/auth/session');
      await visit.post('/auth/signout');
    },
  },
  {
    title: 'event handlers that throw',
    config: (kit) => ({
      providers: [kit.idp()],
      events: {
        signIn: () => {
          throw new Error('the audit log is full');
        },
      },
    }),
    visit: (visit) => visit.signIn(),
  },
];
