import { Browser, type BrowserOptions, type Page } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { Auth } from '../../src/auth.ts';
import type { CallOptions } from '../../src/context.ts';
import { AuthError } from '../../src/errors.ts';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Session } from '../../src/types/session.ts';
import type { Profile } from '../../src/types/user.ts';

export const origin = 'http://localhost:3000';
export const clientSecret = 'a secret of at least 32 characters, for HS256 too';

/** A provider that listens on a free port, with one client of this application. */
export function startProvider(
  client: object = {},
  options: Partial<Parameters<typeof startOidcProvider>[0]> = {},
): Promise<OidcProvider> {
  const redirect_uris = [`${origin}/auth/callback/idp`];
  return startOidcProvider({
    // An address, not a name: `localhost` is two addresses, and on the other one a test of another file may listen.
    host: '127.0.0.1',
    clients: [{ client_id: 'app', client_secret: clientSecret, redirect_uris, ...client }],
    ...options,
  });
}

/** The provider's entry in the configuration of the application. */
export function idp(issuer: string, options: Partial<OIDCConfig<Profile>> = {}): OIDCConfig<Profile> {
  return { id: 'idp', name: 'Identity provider', type: 'oidc', issuer, clientId: 'app', clientSecret, ...options };
}

/** An application with one visitor. */
export interface App {
  readonly browser: Browser;
  /** Types of the errors in the log, oldest first, each followed by what caused it. */
  readonly log: string[];
  readonly config: AuthConfig;
  /** Presses the button; the page is the redirect to the provider. */
  begin(fields?: Record<string, string>): Promise<Page>;
  /** Walks from that redirect through the provider's pages, up to the address of the callback. */
  consent(redirect: Page, who?: string): Promise<string>;
  /** Opens the callback, as the provider's redirect does. */
  comeBack(callback: string): Promise<Page>;
  /** All of it. */
  signIn(who?: string): Promise<Page>;
  session(): Promise<Session | null>;
  csrfToken(): Promise<string>;
  /** A second visitor of the same application. */
  stranger(): App;
}

/** Options of an application besides its provider. */
export interface AppOptions {
  config?: Partial<AuthConfig>;
  call?: CallOptions;
  browser?: Partial<BrowserOptions>;
}

/** @param provider Entry of the configuration; its issuer is where `fetch` goes. */
export function application(provider: OIDCConfig<Profile>, options: AppOptions = {}): App {
  const log: string[] = [];
  const config: AuthConfig = {
    secret: 'the secret of the application, 32+',
    trustHost: true,
    providers: [provider],
    logger: { error: (error) => log.push(typeOf(error)), warn: (code) => log.push(code) },
    ...options.config,
  };
  return visitor(config, log, options);
}

function typeOf(error: Error): string {
  return error instanceof AuthError ? error.type : error.name;
}

function visitor(config: AuthConfig, log: string[], options: AppOptions): App {
  const ask = (request: Request): Promise<Response> =>
    request.url.startsWith(origin) ? Auth(request, config, options.call) : fetch(request);
  const browser = new Browser(ask, { origin, ...options.browser });
  const app: App = {
    browser,
    log,
    config,
    begin: async (fields = {}) =>
      browser.post('/auth/signin/idp', { csrfToken: await app.csrfToken(), callbackUrl: '/inside', ...fields }),
    consent: (redirect, who = 'ada') => consent(browser, redirect, who),
    comeBack: (callback) => browser.get(callback, { site: 'cross-site' }),
    signIn: async (who) => app.comeBack(await app.consent(await app.begin(), who)),
    session: async () => (await browser.get('/auth/session')).json(),
    csrfToken: async () => (await browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken,
    stranger: () => visitor(config, log, options),
  };
  return app;
}

/** @param who A login, or `cancel`. */
async function consent(browser: Browser, redirect: Page, who: string): Promise<string> {
  const isBack = (page: Page): boolean => page.redirect?.origin === origin;
  let page = await browser.follow(redirect, { until: isBack });
  if (!page.redirect) {
    const form = browser.form(page);
    const answer =
      who === 'cancel'
        ? await browser.submit(form, {}, { button: 'cancel' })
        : await browser.submit(form, { login: who, password: 'password' });
    page = isBack(answer) ? answer : await browser.follow(answer, { until: isBack });
  }
  return String(page.redirect);
}

/** Names of the cookies that a browser keeps for the application. */
export function cookieNames({ browser }: App): string[] {
  return browser.cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('authjs.'))
    .sort();
}

export const checkCookies = ['authjs.nonce', 'authjs.pkce.code_verifier', 'authjs.state'];
export const sessionCookie = 'authjs.session-token';
