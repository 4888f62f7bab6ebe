import { Auth } from '@latchkey/core';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, FakeProvider, type FakeUser, type Page } from '@latchkey/testing';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../../src/index.ts';

/** An application with a provider and database sessions. */
export interface Application {
  /** Returns the errors that were logged since the last call, with their causes, as text. */
  logged(): string;
  /** @param like A visitor whose cookies are copied. Default: no cookies. */
  visitor(like?: Browser): Browser;
  /** Signs in with the provider, and returns the response of the callback. */
  signIn(browser: Browser, user: FakeUser): Promise<Page>;
  /** Returns the callback URL with the provider's response. */
  comesBack(browser: Browser, user: FakeUser): Promise<string>;
  signOut(browser: Browser): Promise<Page>;
  /** Returns the response of `GET session`. */
  session(browser: Browser): Promise<{ user: { email: string } } | null>;
}

/** Name of the session cookie. */
export const sessionCookie = 'authjs.session-token';

/** Creates an application with a database. */
export function application(db: Database, options?: SqlAdapterOptions, config: Partial<AuthConfig> = {}): Application {
  const fake = new FakeProvider({ signingAlgorithm: 'ES256' });
  const errors: Error[] = [];
  const settings: AuthConfig = {
    providers: [fake.provider()],
    adapter: SqlAdapter(db, options),
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => errors.push(error), warn: () => undefined },
    ...config,
  };
  const post = async (browser: Browser, path: string): Promise<Page> => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken });
  };
  const comesBack = async (browser: Browser, user: FakeUser): Promise<string> => {
    const { location = '' } = await post(browser, 'signin/fake');
    return fake.authorize(location, { user });
  };
  return {
    logged: () => errors.splice(0).map(told).join('\n'),
    visitor: (like) => new Browser((request) => Auth(request, settings), {}, like?.cookies.clone()),
    comesBack,
    signIn: async (browser, user) => browser.get(await comesBack(browser, user), { site: 'cross-site' }),
    signOut: (browser) => post(browser, 'signout'),
    session: async (browser) => (await browser.get('/auth/session')).json(),
  };
}

/** Returns a new visitor. */
export function stranger(): FakeUser & { email: string } {
  const sub = crypto.randomUUID();
  return { sub, name: 'A stranger', email: `${sub}@example.com`, email_verified: true };
}

/** Returns an error and its causes as text. */
function told(error: Error): string {
  const { cause } = error;
  const inner = cause instanceof Error ? cause : (cause as { err?: Error } | undefined)?.err;
  return `${error.name}: ${error.message}${inner ? ` <- ${told(inner)}` : ''}`;
}

/** Pages that a visitor may see after a failure. Their code says nothing about the database. */
const FAILED =
  /^http:\/\/localhost:3000\/auth\/(error\?error=Configuration&reference=[\w-]+|signin\?error=OAuthCreateAccount&provider=\w+)$/;

/** Returns '' if the callback was refused correctly, otherwise the mistake. */
export function wrongRefusal({ status, location = '', setCookies }: Page): string {
  if (status !== 302 || !FAILED.test(location)) return `answered with ${status} ${location}`;
  return setCookies.some(({ name }) => name.startsWith(sessionCookie)) ? 'touched the session cookie' : '';
}
