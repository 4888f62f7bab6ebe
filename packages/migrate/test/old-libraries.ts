import type { LegacyReader } from '@latchkey/core/types';
import {
  BetterAuth,
  ExpressSession,
  type ExpressSessionData,
  Lucia,
  NextAuth4,
  type OldSession,
  type ReaderOptions,
} from '@latchkey/migrate';
import { type Browser, memoryAdapter } from '@latchkey/testing';
import express, { type RequestHandler } from 'express';
import { loadPeer } from '../../../test/peers/load.ts';
import type { Site } from './site.ts';

type Common = Pick<ReaderOptions, 'until' | 'keep'>;

/** An application that uses another library. */
export interface OldApplication {
  /** Answers the requests of the site with this application. */
  start(): void;
  /** Signs a visitor in through the application. Returns the id of the user. */
  signIn(browser: Browser, name: string): Promise<string>;
  /** Returns the id of the user, as the application reads the session; `null` without a session. */
  userOf(browser: Browser): Promise<string | null>;
  /** Makes the reader of the sessions. */
  reader(options: Common): LegacyReader;
  /** A reader with another secret; `undefined` if the library has no secret. */
  readerWithOtherSecret?(options: Common): LegacyReader;
  /** The number of stored sessions; `undefined` if the cookie has the whole session. */
  stored(): number | undefined;
  /** How often the reader has looked into the store. */
  lookups(): number;
  /** Makes the store fail for the reader. */
  fail?(): void;
}

export interface OldLibrary {
  readonly name: string;
  readonly cookie: string;
  make(site: Site): Promise<OldApplication>;
}

const SECRET = 'the secret of the old application, of some length';
const OTHER_SECRET = 'another secret than that of the old application';
const TEN_DAYS = 10 * 86_400; // seconds

/** Counts the look-ups of a reader, and fails on request. */
function counted<Args extends readonly unknown[], R>(look: (...args: Args) => R) {
  const state = { count: 0, fails: false };
  const call = (...args: Args): R => {
    state.count += 1;
    if (state.fails) throw new Error('the old store has no connection');
    return look(...args);
  };
  const fail = (): void => {
    state.fails = true;
  };
  return { call, fail, lookups: () => state.count };
}

interface NextAuth4Module {
  default: { default?: NextAuth4Handler } & NextAuth4Handler;
}
type NextAuth4Handler = (req: unknown, res: unknown, options: object) => Promise<unknown>;

/** NextAuth.js v4 in Express, as its handler for Node.js. */
async function nextAuth4(site: Site, options: object): Promise<Pick<OldApplication, 'start' | 'userOf'>> {
  const module = await loadPeer<NextAuth4Module>('next-auth-4', 'next-auth');
  const handler = module.default.default ?? module.default;
  const whole = {
    secret: SECRET,
    session: { maxAge: TEN_DAYS },
    callbacks: {
      session: ({ session, token, user }: { session: object; token?: { sub: string }; user?: { id: string } }) => ({
        ...session,
        id: token?.sub ?? user?.id,
      }),
    },
    logger: { error: () => undefined, warn: () => undefined },
    ...options,
  };
  const app = express().use(express.urlencoded({ extended: false }));
  app.all('/api/auth/{*rest}', async (req, res) => {
    const query = { ...req.query, nextauth: req.params['rest'] };
    Object.defineProperty(req, 'query', { value: query });
    Object.defineProperty(req, 'cookies', { value: cookiesOf(req.headers.cookie) });
    await handler(req, res, whole);
  });
  return {
    start: () => {
      process.env['NEXTAUTH_URL'] = site.origin;
      site.serve(app);
    },
    userOf: async (browser) => (await browser.get('/api/auth/session')).json<{ id?: string }>().id ?? null,
  };
}

function cookiesOf(header = ''): Record<string, string> {
  const pairs = header.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.map(([name, value = '']) => [name, decodeURIComponent(value)]));
}

async function csrfToken(browser: Browser): Promise<string> {
  return (await browser.get('/api/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
}

const nextAuth4Jwt: OldLibrary = {
  name: 'NextAuth.js v4 with tokens',
  cookie: 'next-auth.session-token',
  async make(site) {
    const authorize = async ({ name }: { name: string }): Promise<object> => ({ id: `id-${name}`, name });
    const provider = { id: 'credentials', name: 'Credentials', type: 'credentials', credentials: {}, authorize };
    const app = await nextAuth4(site, { providers: [provider] });
    return {
      ...app,
      async signIn(browser, name) {
        const fields = { csrfToken: await csrfToken(browser), name, json: 'true' };
        await browser.post('/api/auth/callback/credentials', fields);
        return `id-${name}`;
      },
      reader: (options) => NextAuth4({ secret: SECRET, ...options }),
      readerWithOtherSecret: (options) => NextAuth4({ secret: OTHER_SECRET, ...options }),
      stored: () => undefined,
      lookups: () => 0,
    };
  },
};

const nextAuth4Rows: OldLibrary = {
  name: 'NextAuth.js v4 with rows',
  cookie: 'next-auth.session-token',
  async make(site) {
    const adapter = memoryAdapter();
    let link = '';
    const sendVerificationRequest = async ({ url }: { url: string }): Promise<void> => {
      link = url;
    };
    const provider = { id: 'email', type: 'email', name: 'Email', maxAge: 3600, sendVerificationRequest };
    const app = await nextAuth4(site, { adapter, providers: [{ ...provider, from: 'app@example.com' }] });
    const look = counted((token: string) => adapter.getSessionAndUser(token));
    return {
      ...app,
      async signIn(browser, name) {
        const email = `${name}@example.com`;
        await browser.post('/api/auth/signin/email', { csrfToken: await csrfToken(browser), email, json: 'true' });
        await browser.get(link);
        return (await adapter.getUserByEmail(email))?.id ?? '';
      },
      reader: (options) =>
        NextAuth4({
          adapter: { getSessionAndUser: look.call, deleteSession: (token) => adapter.deleteSession(token) },
          ...options,
        }),
      stored: () => adapter.store.sessions.size,
      lookups: look.lookups,
      fail: look.fail,
    };
  },
};

interface BetterAuthModule {
  betterAuth(options: object): { handler(request: Request): Promise<Response> };
}

interface BetterAuthRow {
  readonly token: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

const betterAuth: OldLibrary = {
  name: 'Better Auth',
  cookie: 'better-auth.session_token',
  async make(site) {
    const { betterAuth: make } = await loadPeer<BetterAuthModule>('better-auth', 'better-auth');
    const memory = await loadPeer<{ memoryAdapter(tables: object): unknown }>(
      'better-auth',
      'better-auth/adapters/memory',
    );
    const tables = { user: [], session: [] as BetterAuthRow[], account: [], verification: [] };
    const password = { hash: async (text: string) => text, verify: async () => true };
    const auth = make({
      baseURL: site.origin,
      secret: SECRET,
      database: memory.memoryAdapter(tables),
      emailAndPassword: { enabled: true, password },
      rateLimit: { enabled: false },
      session: { expiresIn: TEN_DAYS },
      telemetry: { enabled: false },
      logger: { disabled: true },
    });
    const look = counted((token: string): OldSession | null => {
      const row = tables.session.find((one) => one.token === token);
      return row ? { userId: row.userId, expires: row.expiresAt, issuedAt: row.createdAt } : null;
    });
    const endSession = (token: string): void => {
      tables.session = tables.session.filter((one) => one.token !== token);
    };
    const options = { findSession: look.call, endSession };
    return {
      start: () => site.use((request) => auth.handler(request)),
      async signIn(browser, name) {
        const fields = { name, email: `${name}@example.com`, password: 'a long password' };
        const page = await browser.post('/api/auth/sign-up/email', fields, { json: true });
        return page.json<{ user: { id: string } }>().user.id;
      },
      async userOf(browser) {
        const page = await browser.get('/api/auth/get-session');
        return page.json<{ user: { id: string } } | null>()?.user.id ?? null;
      },
      reader: (common) => BetterAuth({ secret: SECRET, ...options, ...common }),
      readerWithOtherSecret: (common) => BetterAuth({ secret: OTHER_SECRET, ...options, ...common }),
      stored: () => tables.session.length,
      lookups: look.lookups,
      fail: look.fail,
    };
  },
};

interface MemoryStore {
  get(id: string, callback: (error: unknown, session?: unknown) => void): void;
  destroy(id: string, callback?: (error?: unknown) => void): void;
  readonly sessions: object;
}

interface ExpressSessionModule {
  default: ((options: object) => RequestHandler) & { MemoryStore: new () => MemoryStore };
}

interface Passport {
  use(strategy: object): void;
  serializeUser(write: (user: { id: string }, done: (error: null, id: string) => void) => void): void;
  deserializeUser(read: (id: string, done: (error: null, user: object) => void) => void): void;
  session(): RequestHandler;
  authenticate(name: string): RequestHandler;
}

type Verify = (name: string, password: string, done: (error: null, user: object) => void) => void;

const expressSession: OldLibrary = {
  name: 'express-session with Passport',
  cookie: 'connect.sid',
  async make(site) {
    const { default: session } = await loadPeer<ExpressSessionModule>('express-session', 'express-session');
    const { Passport } = await loadPeer<{ Passport: new () => Passport }>('express-session', 'passport');
    const { Strategy } = await loadPeer<{ Strategy: new (verify: Verify) => object }>(
      'express-session',
      'passport-local',
    );
    const store = new session.MemoryStore();
    const passport = new Passport();
    passport.use(new Strategy((name, _, done) => done(null, { id: `id-${name}` })));
    passport.serializeUser(({ id }, done) => done(null, id));
    passport.deserializeUser((id, done) => done(null, { id }));
    const app = express().use(express.urlencoded({ extended: false }));
    const cookie = { maxAge: TEN_DAYS * 1000 };
    app.use(session({ secret: SECRET, store, resave: false, saveUninitialized: false, cookie }), passport.session());
    app.post('/login', passport.authenticate('local'), (_, res) => void res.send('signed in'));
    app.get('/me', (req, res) => void res.json((req as { user?: { id: string } }).user?.id ?? null));
    const look = counted((id: string, callback: (error: unknown, data?: unknown) => void) => store.get(id, callback));
    const options = {
      store: { get: look.call, destroy: store.destroy.bind(store) },
      userId: ({ passport: own }: ExpressSessionData) => own?.user,
    };
    return {
      start: () => site.serve(app),
      async signIn(browser, name) {
        await browser.post('/login', { username: name, password: 'password' });
        return `id-${name}`;
      },
      userOf: async (browser) => (await browser.get('/me')).json<string | null>(),
      reader: (common) => ExpressSession({ secret: [OTHER_SECRET, SECRET], ...options, ...common }),
      readerWithOtherSecret: (common) => ExpressSession({ secret: OTHER_SECRET, ...options, ...common }),
      stored: () => Object.keys(store.sessions).length,
      lookups: look.lookups,
      fail: look.fail,
    };
  },
};

interface LuciaRow {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly attributes: object;
}

interface LuciaModule {
  Lucia: new (
    adapter: object,
    options: object,
  ) => {
    createSession(userId: string, attributes: object): Promise<LuciaRow>;
    createSessionCookie(id: string): { serialize(): string };
    validateSession(id: string): Promise<{ user: { id: string } | null }>;
    readSessionCookie(header: string): string | null;
  };
}

const lucia: OldLibrary = {
  name: 'Lucia',
  cookie: 'auth_session',
  async make(site) {
    const { Lucia: Library } = await loadPeer<LuciaModule>('lucia', 'lucia');
    const rows = new Map<string, LuciaRow>();
    const adapter = {
      getSessionAndUser: async (id: string) => {
        const row = rows.get(id);
        return row ? [row, { id: row.userId, attributes: {} }] : [null, null];
      },
      setSession: async (row: LuciaRow) => void rows.set(row.id, row),
      updateSessionExpiration: async () => undefined,
      deleteSession: async (id: string) => void rows.delete(id),
    };
    const auth = new Library(adapter, { sessionCookie: { attributes: { secure: false } } });
    const look = counted((id: string): OldSession | null => {
      const row = rows.get(id);
      return row ? { userId: row.userId, expires: row.expiresAt } : null;
    });
    const answer = async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/login') {
        const session = await auth.createSession(`id-${searchParams.get('name')}`, {});
        return new Response(null, { headers: { 'set-cookie': auth.createSessionCookie(session.id).serialize() } });
      }
      const id = auth.readSessionCookie(request.headers.get('cookie') ?? '');
      return Response.json(id ? ((await auth.validateSession(id)).user?.id ?? null) : null);
    };
    return {
      start: () => site.use(answer),
      async signIn(browser, name) {
        await browser.get(`/login?name=${name}`);
        return `id-${name}`;
      },
      userOf: async (browser) => (await browser.get('/me')).json<string | null>(),
      reader: (common) => Lucia({ findSession: look.call, endSession: (id) => rows.delete(id), ...common }),
      stored: () => rows.size,
      lookups: look.lookups,
      fail: look.fail,
    };
  },
};

export const oldLibraries: readonly OldLibrary[] = [nextAuth4Jwt, nextAuth4Rows, betterAuth, expressSession, lucia];
