import type { Scenario } from '../visit.ts';

const STRANGE_PATHS = [
  '/auth',
  '/auth/',
  '/auth/nothing',
  '/auth/session/idp',
  '/auth/signin/a/b',
  '/other/session',
  '/auth/csrf/',
  '/auth//csrf',
];

const METHODS = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];

const json = { json: true };
const returnsUrl = { headers: { 'x-auth-return-redirect': '1' } };

/** Malformed requests, and clients other than browsers. */
export const requests: readonly Scenario[] = [
  ...STRANGE_PATHS.map((path): Scenario => ({ title: `GET ${path}`, visit: (visit) => visit.get(path) })),
  ...METHODS.map(
    (method): Scenario => ({ title: `${method} session`, visit: (visit) => visit.open('/auth/session', { method }) }),
  ),
  ...['providers', 'csrf', 'error', 'verify-request'].map(
    (action): Scenario => ({ title: `POST ${action}`, visit: (visit) => visit.post(`/auth/${action}`) }),
  ),
  {
    title: 'POST with broken JSON',
    visit: (visit) =>
      visit.open('/auth/signin/idp', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }),
  },
  {
    title: 'POST without a CSRF token',
    async visit(visit) {
      for (const path of ['signin', 'signin/idp', 'signout', 'session', 'callback/credentials']) {
        await visit.post(`/auth/${path}`, { csrfToken: '' });
        await visit.post(`/auth/${path}`, { csrfToken: 'f'.repeat(64) });
      }
    },
  },
  {
    title: 'POST with a token and without its cookie',
    async visit(visit) {
      const csrfToken = await visit.token();
      visit.browser.cookies.delete('authjs.csrf-token');
      await visit.open('/auth/signout', { method: 'POST', body: new URLSearchParams({ csrfToken }) });
    },
  },
  { title: 'POST signin without a provider', visit: (visit) => visit.post('/auth/signin') },
  { title: 'POST signin of an unknown provider', visit: (visit) => visit.post('/auth/signin/unknown') },
  { title: 'POST signin of a provider called undefined', visit: (visit) => visit.post('/auth/signin/undefined') },
  { title: 'POST signin of credentials', visit: (visit) => visit.post('/auth/signin/credentials') },
  { title: 'POST signin with a form', visit: (visit) => visit.post('/auth/signin/idp', { callbackUrl: '/inside' }) },
  { title: 'POST signin with JSON', visit: (visit) => visit.post('/auth/signin/idp', { callbackUrl: '/in' }, json) },
  {
    title: 'POST signin on https',
    origin: 'https://app.test',
    visit: (visit) => visit.post('/auth/signin/idp', { callbackUrl: '/inside' }),
  },
  {
    title: 'POST signin with parameters for the provider',
    visit: (visit) => visit.post('/auth/signin/idp?prompt=login&login_hint=ada&scope=openid%20phone'),
  },
  { title: 'POST signin of plain OAuth', visit: (visit) => visit.post('/auth/signin/plain') },
  ...[['state'], ['nonce'], ['pkce', 'state', 'nonce'], ['none']].map(
    (checks): Scenario => ({
      title: `POST signin with the checks ${checks.join(' and ')}`,
      config: (kit) => ({ providers: [kit.idp({ checks })] }),
      visit: (visit) => visit.post('/auth/signin/idp'),
    }),
  ),
  {
    title: 'POST signin with configured authorization parameters',
    config: (kit) => ({
      providers: [
        kit.idp({ authorization: { params: { scope: 'openid', prompt: 'consent', claims: { userinfo: {} } } } }),
      ],
    }),
    visit: (visit) => visit.post('/auth/signin/idp'),
  },
  {
    title: 'X-Auth-Return-Redirect',
    async visit(visit) {
      await visit.post('/auth/signin/idp', {}, returnsUrl);
      await visit.post('/auth/signin', {}, returnsUrl);
      await visit.post('/auth/signin/idp', { csrfToken: '' }, returnsUrl);
      await visit.post('/auth/callback/credentials', { name: 'g', password: 'wrong' }, { ...returnsUrl, ...json });
      await visit.post('/auth/callback/credentials', { name: 'g', password: 'cobol' }, { ...returnsUrl, ...json });
      await visit.post('/auth/signout', {}, returnsUrl);
      await visit.get('/auth/session', returnsUrl);
    },
  },
  { title: 'POST signout without a session', visit: (visit) => visit.post('/auth/signout', { callbackUrl: '/bye' }) },
  {
    title: 'another base path',
    config: (kit) => ({ providers: [kit.idp()], basePath: '/api/auth' }),
    async visit(visit) {
      await visit.get('/api/auth/providers');
      await visit.get('/api/auth/signin');
      await visit.get('/auth/providers');
      await visit.get('/api/auth/error?error=AccessDenied');
    },
  },
];
