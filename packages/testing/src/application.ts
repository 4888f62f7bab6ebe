import { Auth, type CallOptions } from '@latchkey/core';
import type { AdapterLike } from '@latchkey/core/adapters';
import { AuthError } from '@latchkey/core/errors';
import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  MailDelivery,
} from '@latchkey/core/providers/email';
import type { AuthConfig, Awaitable, EventCallbacks, LoggerInstance, Session } from '@latchkey/core/types';
import { Browser, type BrowserOptions, type Page } from './browser.ts';
import { Clock } from './clock.ts';
import type { Consent } from './fake-provider/authorize.ts';
import { FakeProvider } from './fake-provider.ts';

/** The secret of an {@link application} that sets no other. */
export const APPLICATION_SECRET = 'a-secret-for-tests-of-more-than-32-characters';

/** Options of {@link application}; all have a default. */
export interface ApplicationOptions<A extends AdapterLike | undefined = undefined> extends Omit<BrowserOptions, 'now'> {
  /**
   * Members of the configuration; they replace the defaults. A function receives the parts that the application uses.
   * Default providers: the fake provider as `fake`, and with an adapter also mailed links as `mail`.
   */
  config?: Partial<AuthConfig> | ((parts: ApplicationParts) => Partial<AuthConfig>) | undefined;
  /** The store. Default: none, so that sessions are in cookies. */
  adapter?: A;
  /**
   * The provider at which visitors sign in. Default: a {@link FakeProvider} that signs with ES256, by the same clock.
   */
  provider?: FakeProvider | undefined;
  /**
   * The clock of the application, the browsers and the fake provider. Default: a clock that stands at the current time.
   */
  clock?: Clock | undefined;
  /** Answers the requests: the entry point under test. Default: `Auth` of `@latchkey/core`. */
  handler?: ((request: Request, config: AuthConfig, call: CallOptions) => Awaitable<Response>) | undefined;
  /** Options that `handler` receives with each request, besides the clock. */
  call?: CallOptions | undefined;
}

/** The parts from which a test builds a configuration of its own. */
export interface ApplicationParts {
  /** The provider, whose entry for `providers` `provider.provider()` returns. */
  readonly provider: FakeProvider;
  /** An email provider that records its mails in {@link Application.mails}. */
  readonly mail: EmailConfig;
  /** The clock of the application. It stands still until a test calls `advance`. */
  readonly clock: Clock;
}

/** A mail that the application has sent. */
export type SentMail = EmailProviderSendVerificationRequestParams;

/** An event with its message. */
export type RecordedEvent = {
  [Name in keyof EventCallbacks]: readonly [name: Name, message: Parameters<EventCallbacks[Name]>[0]];
}[keyof EventCallbacks];

/** A logger that records. */
export interface RecordedLog extends LoggerInstance {
  /** The arguments of `logger.error`, the oldest first. */
  readonly errors: readonly Error[];
  /** The arguments of each call of `logger.warn`, the code first; the oldest call first. */
  readonly warnings: readonly (readonly unknown[])[];
  /** The arguments of each call of `logger.debug`, the oldest first. */
  readonly debugged: readonly (readonly [message: string, metadata: unknown])[];
  /** The `type` of each error, the oldest first; the `name` of errors of other libraries. */
  types(): string[];
}

/** The steps of a sign-in. */
export interface SignInSteps {
  /** The provider's id in the configuration. Default: `fake`. */
  id?: string;
  /** The visitor's decision at the fake provider. Default: the visitor agrees. */
  consent?: Consent;
  /** Fields of the sign-in form, such as `callbackUrl`. */
  fields?: Fields;
  /** Default: the browser of the application. */
  browser?: Browser;
}

type Fields = Readonly<Record<string, unknown>>;

/** An application under test, with its first visitor. */
export interface Application<A extends AdapterLike | undefined = undefined> {
  /** The configuration with which the application answers. A test can pass it to `Auth`. */
  readonly config: AuthConfig;
  /** The adapter of the options; `undefined` without one. */
  readonly adapter: A;
  /** The provider with the id `fake`, to inspect its requests and to let it misbehave. */
  readonly provider: FakeProvider;
  /** The clock of the application, its provider and its adapter. `clock.advance(60)` lets a minute pass. */
  readonly clock: Clock;
  /** The messages that the application has logged. */
  readonly log: RecordedLog;
  /** The events so far, the oldest first. */
  readonly events: readonly RecordedEvent[];
  /** The mails of the default `mail` provider, the oldest first. */
  readonly mails: readonly SentMail[];
  /** The other mails of this provider, such as notices about changes of an account, the oldest first. */
  readonly notices: readonly MailDelivery[];
  /** The first visitor. */
  readonly browser: Browser;
  /** Returns another visitor, with a browser without cookies. */
  visitor(): Browser;
  /** Requests a CSRF token for a browser. Default: the first visitor's. */
  csrfToken(browser?: Browser): Promise<string>;
  /** Posts fields with the CSRF token to an action, such as `signin/fake`. */
  post(action: string, fields?: Fields, browser?: Browser): Promise<Page>;
  /** Submits the sign-in form. The page redirects to the provider. */
  startSignIn(id?: string, fields?: Fields, browser?: Browser): Promise<Page>;
  /** Opens an address from another site: the callback of a provider, or a mailed link. */
  open(address: string, browser?: Browser): Promise<Page>;
  /** Signs in at the fake provider, from the form to the callback. */
  signIn(steps?: SignInSteps): Promise<Page>;
  /** Posts the sign-out form. Returns the redirect to the site. Default: the first visitor's browser. */
  signOut(browser?: Browser): Promise<Page>;
  /** Requests a mailed link. @throws {Error} if the application did not send a mail. */
  mailedLink(email: string, fields?: Fields, browser?: Browser): Promise<string>;
  /** Reads the session as the browser's scripts do; `null` if the visitor is not signed in. */
  session(browser?: Browser): Promise<Session | null>;
}

/**
 * Makes an application for tests of a sign-in. It has a configuration, a fake provider, a browser and a clock, and
 * records errors, events and mails.
 *
 * ```ts
 * const app = application({ adapter: memoryAdapter(), config: { session: { maxAge: 3600 } } });
 * await app.signIn();
 * expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
 * app.clock.advance(3601);
 * expect(await app.session()).toBeNull();
 * ```
 */
export function application<A extends AdapterLike | undefined = undefined>(
  options: ApplicationOptions<A> = {},
): Application<A> {
  const { config, adapter, clock = new Clock(new Date()), handler = Auth, call, ...forBrowser } = options;
  const { provider = new FakeProvider({ signingAlgorithm: 'ES256', now: clock.now }), ...browserOptions } = forBrowser;
  const log = recordingLog();
  const mails: SentMail[] = [];
  const notices: MailDelivery[] = [];
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: (params) => void mails.push(params),
    sendMail: (mail) => void notices.push(mail),
  };
  const own = typeof config === 'function' ? config({ provider, mail, clock }) : config;
  const events: RecordedEvent[] = [];
  const whole: AuthConfig = {
    providers: [provider.provider(), ...(adapter ? [mail] : [])],
    secret: APPLICATION_SECRET,
    trustHost: true,
    logger: log,
    ...(adapter && { adapter }),
    ...own,
    events: recordingEvents(events, own?.events),
  };
  const base = call?.basePath ?? whole.basePath ?? '/auth';
  const answer = async (request: Request): Promise<Response> => handler(request, whole, { now: clock.now, ...call });
  const visitor = (): Browser => new Browser(answer, { ...browserOptions, now: clock.now });
  const browser = visitor();

  const app: Application<A> = {
    config: whole,
    adapter: adapter as A,
    provider,
    clock,
    log,
    events,
    mails,
    notices,
    browser,
    visitor,
    async csrfToken(by = browser) {
      return (await by.get(`${base}/csrf`)).json<{ csrfToken: string }>().csrfToken;
    },
    async post(action, fields = {}, by = browser) {
      return by.post(`${base}/${action}`, { csrfToken: await app.csrfToken(by), ...fields });
    },
    startSignIn: (id = 'fake', fields = {}, by = browser) => app.post(`signin/${id}`, fields, by),
    open: (address, by = browser) => by.get(address, { site: 'cross-site' }),
    async signIn({ id, consent, fields, browser: by } = {}) {
      const started = await app.startSignIn(id, fields, by);
      if (!started.redirect) throw new Error(`the sign-in did not start: ${started.status} ${started.text()}`);
      return app.open(await provider.authorize(started.redirect, consent), by);
    },
    signOut: (by = browser) => app.post('signout', {}, by),
    async mailedLink(email, fields = {}, by = browser) {
      const before = mails.length;
      const page = await app.post('signin/mail', { email, ...fields }, by);
      const sent = mails[before];
      if (!sent) throw new Error(`no mail was sent: ${page.status} ${page.location ?? page.text()}`);
      return sent.url;
    },
    async session(by = browser) {
      return (await by.get(`${base}/session`)).json<Session | null>();
    },
  };
  return app;
}

function recordingLog(): RecordedLog {
  const errors: Error[] = [];
  const warnings: unknown[][] = [];
  const debugged: [string, unknown][] = [];
  return {
    errors,
    warnings,
    debugged,
    types: () => errors.map((error) => (error instanceof AuthError ? error.type : error.name)),
    error: (error) => void errors.push(error),
    warn: (...warning) => void warnings.push(warning),
    debug: (message, metadata) => void debugged.push([message, metadata]),
  };
}

/** Records each event, then calls the application's own callback. */
function recordingEvents(events: RecordedEvent[], own: AuthConfig['events'] = {}): EventCallbacks {
  return {
    createUser(message) {
      events.push(['createUser', message]);
      return own.createUser?.(message);
    },
    updateUser(message) {
      events.push(['updateUser', message]);
      return own.updateUser?.(message);
    },
    sessionEnded(message) {
      events.push(['sessionEnded', message]);
      return own.sessionEnded?.(message);
    },
    legacySession(message) {
      events.push(['legacySession', message]);
      return own.legacySession?.(message);
    },
    linkAccount(message) {
      events.push(['linkAccount', message]);
      return own.linkAccount?.(message);
    },
    unlinkAccount(message) {
      events.push(['unlinkAccount', message]);
      return own.unlinkAccount?.(message);
    },
    changeEmail(message) {
      events.push(['changeEmail', message]);
      return own.changeEmail?.(message);
    },
    deleteUser(message) {
      events.push(['deleteUser', message]);
      return own.deleteUser?.(message);
    },
    signIn(message) {
      events.push(['signIn', message]);
      return own.signIn?.(message);
    },
    signOut(message) {
      events.push(['signOut', message]);
      return own.signOut?.(message);
    },
    tokensRefreshed(message) {
      events.push(['tokensRefreshed', message]);
      return own.tokensRefreshed?.(message);
    },
    tokensLost(message) {
      events.push(['tokensLost', message]);
      return own.tokensLost?.(message);
    },
    tokensRevoked(message) {
      events.push(['tokensRevoked', message]);
      return own.tokensRevoked?.(message);
    },
    session(message) {
      events.push(['session', message]);
      return own.session?.(message);
    },
  };
}
