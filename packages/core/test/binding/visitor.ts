import { type EnvConfigured, type Host, readSession, type SessionVisit, signIn } from '@latchkey/core/binding';
import { Clock } from '@latchkey/testing';
import { Auth } from '../../src/auth.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig, Cookie } from '../../src/types/config.ts';
import type { Session } from '../../src/types/session.ts';
import { serializeCookie } from '../../src/wire/cookie.ts';
import { type Log, log, SECRET } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';

export const origin = 'http://localhost:3000';

/** The exception of a framework's redirect. */
export class Left extends Error {
  readonly url: string;

  constructor(url: string) {
    super(url);
    this.url = url;
  }
}

/** Accepts the password `password` for the user `1`. */
export const credentials = Credentials({
  authorize: ({ name, password }) =>
    password === 'password' ? { id: '1', name: String(name ?? 'Ada'), email: 'ada@example.com' } : null,
});

/** A visitor of an application whose framework is a plain object. */
export interface Visitor {
  readonly configured: EnvConfigured;
  readonly log: Log;
  readonly clock: Clock;
  /** The browser's cookies by name. */
  readonly jar: Map<string, string>;
  /** All cookies that were set, in order. */
  readonly set: Cookie[];
  /** The request in progress. Its redirect throws {@link Left}. */
  host(own?: Partial<Host>): Host;
  /** The same without `setCookie`. */
  readOnly(): Host;
  /** Reads the session. Sets cookies by default. */
  session(own?: Partial<SessionVisit>): Promise<Session | null>;
  /** Opens a link to the handler, and keeps its cookies. */
  open(url: string): Promise<Response>;
}

export function visitor(config: Partial<AuthConfig> = {}, call: EnvConfigured['call'] = {}): Visitor {
  const own = log();
  const clock = new Clock(new Date());
  const whole: AuthConfig = { providers: [credentials], secret: SECRET, trustHost: true, logger: own, ...config };
  const configured: EnvConfigured = { config: whole, call: { ...call, now: clock.now } as EnvConfigured['call'] };
  const jar = new Map<string, string>();
  const set: Cookie[] = [];
  const keep = (cookie: Cookie): void => {
    set.push(cookie);
    if (cookie.options.maxAge === 0) jar.delete(cookie.name);
    else jar.set(cookie.name, cookie.value);
  };
  const cookieHeader = (): string => [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const host = (changes: Partial<Host> = {}): Host => ({
    origin,
    headers: new Headers({ cookie: cookieHeader(), 'content-type': 'multipart/form-data; boundary=x' }),
    setCookie: keep,
    redirect(url) {
      throw new Left(url);
    },
    ...changes,
  });
  return {
    configured,
    log: own,
    clock,
    jar,
    set,
    host,
    readOnly: () => host({ setCookie: undefined }),
    session: (changes) => readSession(configured, { origin, cookie: cookieHeader(), setCookie: keep, ...changes }),
    async open(url) {
      const answer = await Auth(new Request(url, { headers: { cookie: cookieHeader() } }), whole, { now: clock.now });
      for (const line of answer.headers.getSetCookie()) keep(cookieFrom(line));
      return answer;
    },
  };
}

function cookieFrom(line: string): Cookie {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const maxAge = /;\s*max-age=0/i.test(line) ? { maxAge: 0 } : {};
  return { name, value: decodeURIComponent(value), options: maxAge };
}

/** Names of the cookies that were set, in order. */
export function names(cookies: readonly Cookie[]): string[] {
  return cookies.map(({ name }) => name);
}

/** Returns whether one of these starts a session. */
export function startsSession(cookies: readonly Cookie[]): boolean {
  return cookies.some(({ name, value }) => /session-token(\.\d+)?$/.test(name) && value !== '');
}

/** Cookies as header lines. */
export function lines(cookies: readonly Cookie[]): string[] {
  return cookies.map(serializeCookie);
}

/** Returns where a call redirected; fails if it did not. */
export async function destination(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Left) return error.url;
    throw error;
  }
  throw new Error('it did not redirect');
}

/** A form as a browser sends it. */
export function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

/** A visitor who has signed in by password. Cookies so far are not in `set`. */
export async function signedIn(config: Partial<AuthConfig> = {}, own: Partial<Host> = {}): Promise<Visitor> {
  const visit = visitor(config);
  await signIn(visit.configured, visit.host(own), 'credentials', { password: 'password', redirect: false });
  visit.set.length = 0;
  return visit;
}

/** A store that has the user `1`, Ada. */
export function storeWithAda(): ReturnType<typeof memoryStore> {
  const store = memoryStore();
  store.users.set('1', { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  return store;
}
