import { Auth, customFetch } from '@latchkey/core';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, DEFAULT_SECRET, FakeProvider, type FakeUser, type Page } from '@latchkey/testing';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../../src/index.ts';

/** An application that signs in with a provider and keeps sessions in a database. */
export interface Application {
  /** What was logged as an error since the last call, with all causes, as text. */
  logged(): string;
  /** @param like Whose cookies they have. Default: none. */
  visitor(like?: Browser): Browser;
  /** Goes to the provider and comes back; the answer is that of the callback. */
  signIn(browser: Browser, user: FakeUser): Promise<Page>;
  /** The address with which the visitor comes back. */
  comesBack(browser: Browser, user: FakeUser): Promise<string>;
  signOut(browser: Browser): Promise<Page>;
  /** What `GET session` answers. */
  session(browser: Browser): Promise<{ user: { email: string } } | null>;
}

/** The name of the cookie that holds a session. */
export const sessionCookie = 'authjs.session-token';

/** Makes an application on a database. */
export function application(db: Database, options?: SqlAdapterOptions, config: Partial<AuthConfig> = {}): Application {
  const fake = new FakeProvider({ signingAlgorithm: 'ES256' });
  const errors: Error[] = [];
  const settings: AuthConfig = {
    providers: [
      {
        id: 'fake',
        name: 'Fake',
        type: 'oidc',
        issuer: fake.issuer,
        clientId: 'client',
        clientSecret: DEFAULT_SECRET,
        [customFetch]: fake.fetch,
      },
    ],
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

/** Someone who has not been here before. */
export function stranger(): FakeUser & { email: string } {
  const sub = crypto.randomUUID();
  return { sub, name: 'A stranger', email: `${sub}@example.com`, email_verified: true };
}

/** An error and what it was caused by. */
function told(error: Error): string {
  const { cause } = error;
  const inner = cause instanceof Error ? cause : (cause as { err?: Error } | undefined)?.err;
  return `${error.name}: ${error.message}${inner ? ` <- ${told(inner)}` : ''}`;
}

/** Pages that a visitor may see when something has failed: the code is one of ours, and says nothing about the database. */
const FAILED =
  /^http:\/\/localhost:3000\/auth\/(error\?error=Configuration&reference=[\w-]+|signin\?error=OAuthCreateAccount)$/;

/** Was the visitor, who has come back from the provider, turned away as it should be? Says what is wrong, else ''. */
export function wrongRefusal({ status, location = '', setCookies }: Page): string {
  if (status !== 302 || !FAILED.test(location)) return `answered with ${status} ${location}`;
  return setCookies.some(({ name }) => name.startsWith(sessionCookie)) ? 'touched the session cookie' : '';
}
