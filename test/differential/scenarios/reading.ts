import type { Scenario } from '../visit.ts';

const ERRORS = ['Configuration', 'AccessDenied', 'Verification', 'CredentialsSignin', 'OAuthCallbackError', 'Anything'];
const SIGN_IN_ERRORS = [
  'OAuthSignin',
  'OAuthAccountNotLinked',
  'CredentialsSignin&code=locked',
  'SessionRequired',
  'x',
];

/** Requests that only look. */
export const reading: readonly Scenario[] = [
  { title: 'GET providers', visit: (visit) => visit.get('/auth/providers') },
  { title: 'GET csrf', visit: (visit) => visit.get('/auth/csrf') },
  { title: 'GET csrf on https', origin: 'https://app.test', visit: (visit) => visit.get('/auth/csrf') },
  {
    title: 'GET csrf a second time',
    async visit(visit) {
      await visit.get('/auth/csrf');
      await visit.get('/auth/csrf');
    },
  },
  { title: 'GET session without a session', visit: (visit) => visit.get('/auth/session') },
  {
    title: 'GET session with a cookie that is no session',
    async visit(visit) {
      visit.browser.cookies.set('authjs.session-token', 'garbage');
      await visit.get('/auth/session');
      await visit.get('/auth/session');
    },
  },
  { title: 'GET signin', visit: (visit) => visit.get('/auth/signin') },
  ...SIGN_IN_ERRORS.map(
    (error): Scenario => ({
      title: `GET signin with the error ${error}`,
      visit: (visit) => visit.get(`/auth/signin?error=${error}`),
    }),
  ),
  { title: 'GET signin of a provider', visit: (visit) => visit.get('/auth/signin/idp') },
  { title: 'GET signout', visit: (visit) => visit.get('/auth/signout') },
  { title: 'GET verify-request', visit: (visit) => visit.get('/auth/verify-request?provider=mail&type=email') },
  { title: 'GET error', visit: (visit) => visit.get('/auth/error') },
  ...ERRORS.map(
    (error): Scenario => ({
      title: `GET error with ${error}`,
      visit: (visit) => visit.get(`/auth/error?error=${error}`),
    }),
  ),
  {
    title: 'GET with a callbackUrl of ours, of a stranger, and broken ones',
    async visit(visit) {
      await visit.get('/auth/csrf?callbackUrl=/inside');
      await visit.get('/auth/csrf?callbackUrl=http://localhost:3000/deeper?a=b');
      await visit.get('/auth/csrf?callbackUrl=https://stranger.test/');
      await visit.get('/auth/csrf?callbackUrl=//stranger.test/');
      await visit.get('/auth/csrf');
    },
  },
];

const OWN = {
  signIn: '/login',
  signOut: '/goodbye',
  error: '/oops',
  verifyRequest: '/look-into-your-mail',
  newUser: '/welcome?first=1',
};

/** The application has pages of its own. */
export const pages: readonly Scenario[] = [
  {
    title: 'pages of the application',
    config: (kit) => ({ providers: [kit.idp()], pages: OWN }),
    async visit(visit) {
      await visit.get('/auth/signin');
      await visit.get('/auth/signin?callbackUrl=/inside&error=SessionRequired');
      await visit.get('/auth/signout');
      await visit.get('/auth/error?error=AccessDenied');
      await visit.get('/auth/verify-request?provider=mail&type=email');
    },
  },
  {
    title: 'a refused sign-in leads to the error page of the application',
    config: (kit) => ({ providers: [kit.idp()], pages: OWN, callbacks: { signIn: () => false } }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: 'a cancelled sign-in leads to the sign-in page of the application',
    config: (kit) => ({ providers: [kit.idp({ checks: ['pkce', 'state'] })], pages: OWN }),
    visit: (visit) => visit.signIn('idp', { deny: 'access_denied' }),
  },
  {
    title: 'a new user is welcomed once',
    config: (kit) => ({ providers: [kit.idp()], pages: OWN, adapter: kit.adapter }),
    async visit(visit) {
      await visit.signIn();
      await visit.post('/auth/signout');
      await visit.signIn();
    },
  },
  {
    title: 'the built-in pages with a theme',
    config: (kit) => ({
      providers: [kit.idp()],
      theme: { colorScheme: 'dark', brandColor: '#123456', logo: '/logo.svg', buttonText: '#fff' },
    }),
    async visit(visit) {
      await visit.get('/auth/signin');
      await visit.get('/auth/signout');
    },
  },
];
