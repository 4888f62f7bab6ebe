import type { Kit } from '../kit.ts';
import type { Scenario, Visit } from '../visit.ts';

/** A sign-in, two looks at the session, and out. */
async function round(visit: Visit): Promise<void> {
  await visit.signIn();
  await visit.get('/auth/session');
  await visit.post('/auth/signout');
}

const withIdp =
  (options: object | ((kit: Kit) => object)): NonNullable<Scenario['config']> =>
  (kit) => ({ providers: [kit.idp()], ...(typeof options === 'function' ? options(kit) : options) });

/** Options of a configuration. */
export const options: readonly Scenario[] = [
  {
    title: 'cookies with other names and attributes',
    config: withIdp({
      cookies: {
        sessionToken: { name: 'sid', options: { domain: 'localhost', sameSite: 'strict', path: '/', httpOnly: true } },
        csrfToken: { name: 'app-csrf-token' },
        callbackUrl: { options: { maxAge: 300 } },
        state: { options: { sameSite: 'none', secure: true } },
      },
    }),
    async visit(visit) {
      const csrf = await visit.get('/auth/csrf');
      const { csrfToken } = csrf.json<{ csrfToken: string }>();
      await visit.comeBack(await visit.post('/auth/signin/idp', { csrfToken }));
      await visit.get('/auth/session');
    },
  },
  { title: 'secure cookies although the address is http', config: withIdp({ useSecureCookies: true }), visit: round },
  {
    title: 'plain cookies although the address is https',
    origin: 'https://app.test',
    config: withIdp({ useSecureCookies: false }),
    visit: round,
  },
  { title: 'a short session', config: withIdp({ session: { maxAge: 600 } }), visit: round },
  { title: 'a token that ends before its cookie', config: withIdp({ jwt: { maxAge: 120 } }), visit: round },
  {
    title: 'another secret for tokens',
    config: withIdp({ jwt: { secret: 'a secret for tokens alone, 32 chars+' } }),
    visit: round,
  },
  {
    title: 'a token format of the application',
    config: withIdp((kit) => ({
      callbacks: kit.callbacks(),
      jwt: {
        encode: ({ token }: { token: object }) => btoa(JSON.stringify(token)),
        decode: ({ token }: { token: string }) => JSON.parse(atob(token)),
      },
    })),
    visit: round,
  },
  {
    title: 'session tokens that the application makes',
    config: withIdp((kit) => ({ adapter: kit.adapter, session: { generateSessionToken: () => 'made-by-hand' } })),
    visit: round,
  },
  {
    title: 'a database session that is extended whenever it is read',
    config: withIdp((kit) => ({ adapter: kit.adapter, session: { maxAge: 3600, updateAge: 0 } })),
    visit: round,
  },
  {
    title: 'no CSRF token because the framework checks the origin',
    config: withIdp((kit) => ({ skipCSRFCheck: kit.library.skipCSRFCheck })),
    async visit(visit) {
      await visit.open('/auth/csrf', { method: 'GET' });
      await visit.comeBack(await visit.open('/auth/signin/idp', { method: 'POST', body: new URLSearchParams({}) }));
      await visit.get('/auth/session');
      await visit.get('/auth/signin');
    },
  },
  {
    title: 'a list of secrets',
    config: withIdp({ secret: ['a secret that is new, 32 characters+', 'a secret that is old, 32 characters+'] }),
    visit: round,
  },
];
