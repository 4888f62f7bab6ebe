import {
  Browser,
  type BrowserOptions,
  Clock,
  type Consent,
  DEFAULT_SECRET,
  FakeProvider,
  type FakeProviderOptions,
  type Page,
} from '@latchkey/testing';
import { expect } from 'vitest';
import type { CallOptions } from '../../src/context.ts';
import type { AuthError } from '../../src/errors.ts';
import type { OAuth2Config, OIDCConfig } from '../../src/providers/oauth.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig, LoggerInstance, Profile } from '../../src/types.ts';
import type { Door } from './doors.ts';

export const SECRET = 'a-secret-for-tests-of-more-than-32-characters';

/** What a test's logger was told. */
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

/** Whoever reads the log must find there what has happened, and not only where to read on. What `authorize()` throws is its own. */
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
  return {
    id: 'fake',
    name: 'Fake',
    type: 'oidc',
    issuer: fake.issuer,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    [customFetch]: fake.fetch,
    ...own,
  };
}

/** The fake provider as a plain OAuth one, without issuer. */
export function oauth(fake: FakeProvider, own: Partial<OAuth2Config<Profile>> = {}): OAuth2Config<Profile> {
  return {
    id: 'plain',
    name: 'Plain',
    type: 'oauth',
    authorization: { url: fake.endpoints.authorization, params: { scope: 'profile email' } },
    token: fake.endpoints.token,
    userinfo: fake.endpoints.userinfo,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    [customFetch]: fake.fetch,
    ...own,
  };
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
  /** Asks for a token and posts it with the fields. */
  post(path: string, fields?: Record<string, unknown>, browser?: Browser): Promise<Page>;
  /** Starts a sign-in; the answer leads to the provider. */
  begin(id?: string, fields?: Record<string, unknown>, browser?: Browser): Promise<Page>;
  /** Comes back from a provider. */
  finish(address: string, browser?: Browser): Promise<Page>;
  /** The whole way: starts, consents, comes back. */
  signIn(fake: FakeProvider, options?: WholeWay): Promise<Page>;
  session(browser?: Browser): Promise<Record<string, unknown> | null>;
}

interface WholeWay {
  id?: string;
  consent?: Consent;
  fields?: Record<string, unknown>;
  browser?: Browser;
}

export function scene(door: Door, config: Partial<AuthConfig>, options: SceneOptions = {}): Scene {
  const own = log();
  const clock = new Clock(new Date());
  const whole: AuthConfig = { providers: [], secret: SECRET, trustHost: true, logger: own, ...config };
  const { call, ...forBrowser } = options;
  const settings: BrowserOptions = { ...forBrowser, now: clock.now };
  const visitor = (): Browser =>
    new Browser((request) => door.ask(request, whole, { now: clock.now, ...call }), settings);
  const browser = visitor();
  const base = call?.basePath ?? whole.basePath ?? '/auth';
  const post: Scene['post'] = async (path, fields = {}, by = browser) => {
    const { csrfToken } = (await by.get(`${base}/csrf`)).json<{ csrfToken: string }>();
    return by.post(`${base}/${path}`, { csrfToken, ...fields });
  };
  const begin: Scene['begin'] = (id = 'fake', fields = {}, by = browser) => post(`signin/${id}`, fields, by);
  const finish: Scene['finish'] = (address, by = browser) => by.get(address, { site: 'cross-site' });
  return {
    config: whole,
    log: own,
    clock,
    browser,
    visitor,
    post,
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

/** Path and query of the address that a page leads to. */
export function leadsTo(page: Page): string | undefined {
  const target = page.redirect;
  return target && target.pathname + target.search;
}

/** The answer leads to the sign-in page with this code, starts no session, and leaves none in the browser. */
export function expectRefused(app: Scene, page: Page, error: string, browser: Browser = app.browser): void {
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
