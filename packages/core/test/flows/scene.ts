import {
  application,
  type Browser,
  type BrowserOptions,
  type Clock,
  FakeProvider,
  type FakeProviderOptions,
  type Page,
  type SignInSteps,
} from '@latchkey/testing';
import { expect } from 'vitest';
import type { CallOptions } from '../../src/context.ts';
import type { AuthError } from '../../src/errors.ts';
import { encode } from '../../src/jwt.ts';
import type { OAuth2Config, OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig, LoggerInstance } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import type { Door } from './doors.ts';

export const SECRET = 'a-secret-for-tests-of-more-than-32-characters';

/** The messages that a test's logger has received. */
export interface Log extends LoggerInstance {
  readonly errors: AuthError[];
  readonly warnings: unknown[][];
  readonly debugged: [message: string, metadata: unknown][];
  /** `type` of each error so far. */
  types(): string[];
}

export function log(): Log {
  const errors: AuthError[] = [];
  const warnings: unknown[][] = [];
  const debugged: [string, unknown][] = [];
  return {
    errors,
    warnings,
    debugged,
    types: () => errors.map(typeOf),
    error: (error) => void errors.push(error as AuthError),
    warn: (...warning) => void warnings.push(warning),
    debug: (message, metadata) => void debugged.push([message, metadata]),
  };
}

/** Errors of one provider: the log has to say of which. */
const OF_A_PROVIDER: readonly string[] = [
  'CallbackRouteError',
  'InvalidCheck',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'OAuthCreateAccountError',
  'OAuthProfileParseError',
  'OAuthSignInError',
  'WebAuthnVerificationError',
];

/** Errors that stand for another one: the log has to have that, too. */
const FOR_ANOTHER: readonly string[] = [
  'AdapterError',
  'CallbackRouteError',
  'EmailCreateAccountError',
  'EventError',
  'SessionTokenError',
  'SignOutError',
];

/** Each logged error must say what has happened, besides the link. Errors of `authorize()` are the application's. */
function typeOf(error: AuthError): string {
  const type = error.type ?? error.name;
  if (type !== 'CredentialsSignin') expect(error.message, `what a ${type} says`).toMatch(/^(?!See docs).{10}/);
  if (OF_A_PROVIDER.includes(type))
    expect(error.cause?.['provider'] ?? error.cause?.['providerId'], `whose ${type} it is`).toMatch(/./);
  if (FOR_ANOTHER.includes(type)) expect(error.cause?.err, `the reason of a ${type}`).toBeInstanceOf(Error);
  return type;
}

/** Signs with ES256: a key pair of RS256 takes ten times as long to make. */
export function fakeProvider(options: FakeProviderOptions = {}): FakeProvider {
  return new FakeProvider({ signingAlgorithm: 'ES256', ...options });
}

/** The fake provider as an application configures it. */
export function oidc(fake: FakeProvider, own: Partial<OIDCConfig<Profile>> = {}): OIDCConfig<Profile> {
  return fake.provider({ name: 'Fake', ...own });
}

/** The fake provider as a plain OAuth one, without issuer. */
export function oauth(fake: FakeProvider, own: Partial<OAuth2Config<Profile>> = {}): OAuth2Config<Profile> {
  return fake.plainProvider({ id: 'plain', name: 'Plain', ...own });
}

export interface SceneOptions extends Omit<BrowserOptions, 'now'> {
  call?: CallOptions;
}

/** An application behind one door, with a browser, a log and a clock. */
export interface Scene {
  readonly config: AuthConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly browser: Browser;
  /** Another visitor of the same application. */
  visitor(): Browser;
  /** Posts fields with the CSRF token to an action. */
  post(path: string, fields?: Record<string, unknown>, browser?: Browser): Promise<Page>;
  /** Starts a sign-in; the answer leads to the provider. */
  begin(id?: string, fields?: Record<string, unknown>, browser?: Browser): Promise<Page>;
  /** Opens an address from another site: the callback of a provider, or a mailed link. */
  finish(address: string, browser?: Browser): Promise<Page>;
  /** Signs in at a provider, from the form to the callback. */
  signIn(fake: FakeProvider, steps?: SignInSteps): Promise<Page>;
  session(browser?: Browser): Promise<Record<string, unknown> | null>;
}

export function scene(door: Door, config: Partial<AuthConfig>, options: SceneOptions = {}): Scene {
  const own = log();
  const app = application({
    ...options,
    handler: door.ask,
    config: { providers: [], secret: SECRET, logger: own, ...config },
  });
  const { browser, startSignIn: begin, open: finish } = app;
  const base = options.call?.basePath ?? app.config.basePath ?? '/auth';
  return {
    ...app,
    log: own,
    begin,
    finish,
    async signIn(fake, { id, consent, fields, browser: by } = {}) {
      const started = await begin(id, fields, by);
      return finish(await fake.authorize(started.location ?? '', consent), by);
    },
    async session(by = browser) {
      return (await by.get(`${base}/session`)).json<Record<string, unknown> | null>();
    },
  };
}

/** An application with the fake provider. */
export interface ProviderScene {
  readonly app: Scene;
  readonly fake: FakeProvider;
}

/** Makes an application whose provider is the fake one. */
export function oidcScene(
  door: Door,
  own: Partial<OIDCConfig<Profile>> = {},
  config: Partial<AuthConfig> = {},
): ProviderScene {
  const fake = fakeProvider();
  return { fake, app: scene(door, { providers: [oidc(fake, own)], ...config }) };
}

/** Makes an application whose provider is the fake one as a plain OAuth provider. */
export function oauthScene(door: Door, own: Partial<OAuth2Config<Profile>> = {}): ProviderScene {
  const fake = fakeProvider({ oidc: false });
  return { fake, app: scene(door, { providers: [oauth(fake, own)] }) };
}

/**
 * Path and query of the address that a page leads to. Provider, reason and waiting time of a failed sign-in are left
 * out; `failure-params.test.ts` has them.
 */
export function leadsTo(page: Page): string | undefined {
  const address = leadsExactlyTo(page);
  return address && withoutFacts(address);
}

/** Path and query of the address that a page leads to. */
export function leadsExactlyTo({ redirect }: Page): string | undefined {
  return redirect && redirect.pathname + redirect.search;
}

/** The address of the sign-in page without provider, reason and waiting time of a failed sign-in. */
export function withoutFacts(address: string): string {
  return address.includes('error=') ? address.replace(/&(provider|reason|retryAfter)=[^&]*/g, '') : address;
}

/** Makes a browser the one in which this user signed in last, for a test that writes the session itself. */
export async function makeBrowserOf(browser: Browser, userId: string): Promise<void> {
  const name = 'authjs.browser';
  browser.cookies.set(name, await encode({ token: { user: userId }, secret: SECRET, salt: name }));
}

/** Advances the clock, and keeps the cookies that a browser drops meanwhile. */
export async function later(app: Pick<Scene, 'browser' | 'clock'>, seconds: number): Promise<void> {
  const kept = app.browser.cookies.all();
  app.clock.advance(seconds);
  for (const { name, value } of kept) app.browser.cookies.set(name, value);
}

/** The answer leads to the sign-in page with this code, starts no session, and leaves none in the browser. */
export function expectRefused(
  app: Pick<Scene, 'browser'> & { log: { types(): string[] } },
  page: Page,
  error: string,
  browser: Browser = app.browser,
): void {
  expect(leadsTo(page)).toBe(`/auth/signin?error=${error}`);
  expect(app.log.types()).not.toEqual([]);
  expect(startsSession(page)).toBe(false);
  expect(sessionCookies(browser)).toEqual([]);
}

/** The answer leads to the error page with a reference that is in the log, and starts no session. */
export function expectConfiguration(app: Scene, page: Page): void {
  const [, reference] = /^\/auth\/error\?error=Configuration&reference=([\da-f]{8})$/.exec(leadsTo(page) ?? '') ?? [];
  expect(reference, leadsTo(page)).toBeDefined();
  expect(app.log.types()).not.toEqual([]);
  expect(app.log.errors.at(-1)?.cause?.reference).toBe(reference);
  expect(startsSession(page)).toBe(false);
}

export function sessionCookies(browser: Browser): string[] {
  return browser.cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => /session-token(\.\d+)?$/.test(name));
}

/** The parameters of the authorization request that a page leads to. */
export function asked(page: Page): Record<string, string> {
  return Object.fromEntries(page.redirect?.searchParams ?? []);
}

/** For callbacks of a test: notes what one got, and returns what it is to return. */
export function noting<T>(notes: unknown[], note: unknown, result: T): T {
  notes.push(note);
  return result;
}

/** Did this answer start a session? */
export function startsSession(page: Page): boolean {
  return page.setCookies.some(({ name, value }) => /session-token(\.\d+)?$/.test(name) && value !== '');
}
