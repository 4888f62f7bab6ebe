import type { Kit } from '../kit.ts';
import type { Scenario, Visit } from '../visit.ts';

const stored =
  (strategy: 'jwt' | 'database', provider: object = {}) =>
  (kit: Kit): object => ({
    providers: [kit.idp({ checks: ['pkce', 'state'], ...provider }), kit.plain({ checks: ['pkce', 'state'] })],
    adapter: kit.adapter,
    session: { strategy },
    callbacks: kit.callbacks(),
    events: kit.events(),
  });

const grace = { user: { sub: 'grace-1906', name: 'Grace', email: 'grace@example.com', email_verified: true } };
const twin = { user: { sub: 'other-ada', name: 'Other Ada', email: 'Ada@Example.com', email_verified: true } };

/** Sign-ins with users in a store, by session strategy. */
export const store: readonly Scenario[] = (['database', 'jwt'] as const).flatMap((strategy): Scenario[] => [
  {
    title: `a first sign-in, the session, an update, the sign-out (${strategy} sessions)`,
    config: stored(strategy),
    async visit(visit) {
      await visit.signIn();
      await visit.get('/auth/session');
      await visit.post('/auth/session', { data: { name: 'Countess' } }, { json: true });
      await visit.post('/auth/signout');
      await visit.get('/auth/session');
    },
  },
  {
    title: `a returning user (${strategy} sessions)`,
    config: stored(strategy),
    async visit(visit) {
      await visit.signIn();
      await visit.post('/auth/signout');
      await visit.signIn();
    },
  },
  {
    title: `a second provider is added while signed in (${strategy} sessions)`,
    config: stored(strategy),
    async visit(visit) {
      await visit.signIn();
      await visit.signIn('plain', grace);
    },
  },
  {
    title: `an account of another user is refused while signed in (${strategy} sessions)`,
    config: stored(strategy),
    async visit(visit) {
      await visit.signIn('idp', grace);
      await visit.post('/auth/signout');
      await visit.signIn();
      await visit.signIn('idp', grace);
    },
  },
  {
    title: `an address that another user has is refused (${strategy} sessions)`,
    config: stored(strategy),
    async visit(visit) {
      await visit.signIn();
      await visit.post('/auth/signout');
      await visit.signIn('plain', twin);
    },
  },
  {
    title: `an address that another user has is linked where the configuration says so (${strategy} sessions)`,
    config: (kit) => ({
      ...stored(strategy)(kit),
      providers: [kit.idp(), kit.plain({ allowDangerousEmailAccountLinking: true })],
    }),
    async visit(visit) {
      await visit.signIn();
      await visit.post('/auth/signout');
      await visit.signIn('plain', twin);
    },
  },
  {
    title: `a store that fails while a user is created (${strategy} sessions)`,
    config: (kit) => ({
      ...stored(strategy)(kit),
      adapter: { ...kit.adapter, createUser: () => Promise.reject(new Error('disk full')) },
    }),
    visit: (visit) => visit.signIn(),
  },
  {
    title: `a store that fails while a session is read (${strategy} sessions)`,
    config: (kit) => ({
      ...stored(strategy)(kit),
      adapter: { ...kit.adapter, getSessionAndUser: () => Promise.reject(new Error('connection lost')) },
    }),
    async visit(visit) {
      visit.browser.cookies.set('authjs.session-token', '3b9f0c5e-7c0e-4d43-8a64-2f9e6f3f0a11');
      await visit.get('/auth/session');
      await visit.post('/auth/signout');
    },
  },
]);

/** Changes when the rows of all sessions expire. */
function expire({ kit }: Visit, expires: Date): void {
  for (const [token, row] of kit.store.sessions) kit.store.sessions.set(token, { ...row, expires });
}

/** Scenarios with changed rows in the store. */
export const rows: readonly Scenario[] = [
  {
    title: 'a session row that is due for an extension',
    config: stored('database'),
    async visit(visit) {
      await visit.signIn();
      expire(visit, new Date(Date.now() + 3_600_000));
      await visit.get('/auth/session');
    },
  },
  {
    title: 'a session row that has expired',
    config: stored('database'),
    async visit(visit) {
      await visit.signIn();
      expire(visit, new Date(Date.now() - 1000));
      await visit.get('/auth/session');
      await visit.get('/auth/session');
    },
  },
  {
    title: 'a session cookie whose row is gone',
    config: stored('database'),
    async visit(visit) {
      await visit.signIn();
      visit.kit.store.sessions.clear();
      await visit.get('/auth/session');
      await visit.post('/auth/signout');
    },
  },
];
