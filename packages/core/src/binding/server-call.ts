import type { routes } from '../actions/routes.ts';
import { handle } from '../auth.ts';
import type { EnvConfigured } from '../config/env.ts';
import { pageAddress } from '../config/paths.ts';
import { type Settings, settingsFor } from '../config/settings.ts';
import type { CallOptions, Fields, Incoming, Reply } from '../context.ts';
import { AuthError, CookiesNotWritable, EmailSignInError, errorOf, OAuthSignInError } from '../errors.ts';
import type { Cookie } from '../types/config.ts';
import type { ProviderType } from '../types/provider.ts';
import type { Session } from '../types/session.ts';
import type { Untyped } from '../types/user.ts';
import { actionRequest } from './incoming.ts';
import { copyAsJson, copySession, replyError, type SessionVisit } from './session.ts';

/** A request in progress, as its framework presents it. */
export interface Host extends Pick<SessionVisit, 'origin' | 'basePath' | 'setCookie'> {
  /** The headers of the request. */
  readonly headers: Headers;
  /** The visitor's network address, if the framework knows it. */
  readonly clientAddress?: string | undefined;
  /**
   * How a form is trusted. `same-origin`: the browser must name the origin of this site, because another site may have
   * sent the request. `host-checked`: the framework has checked the origin. Default: `host-checked`.
   */
  readonly forms?: 'same-origin' | 'host-checked' | undefined;
  /** If `true`, the cookie `authjs.revision` informs the browser's scripts of each change. Default: `false`. */
  readonly hasClient?: boolean | undefined;
  /** Where visitors go if neither the call nor the request names a page. Default: `/`. */
  readonly home?: string | undefined;
  /** Leaves the running function for another address, as the framework does it. Default: calls return the address. */
  redirect?: ((url: string) => never) | undefined;
}

/** Options of a server-side sign-in: the fields of a form, or an object. */
export type SignInOptions<Redirect extends boolean = boolean> =
  | FormData
  | ({
      /** Where the visitor goes afterwards: a path, or an address on this site. Default: the page of the request. */
      redirectTo?: string | undefined;
      /** `false`: return the address instead of going there. Default: `true`. */
      redirect?: Redirect | undefined;
      /**
       * With the option `tokens`: scopes to ask for, beside those that are configured and those that were granted
       * before. `[]`: the same scopes again, to get a refresh token. Default: the configured scopes.
       */
      scopes?: readonly string[] | undefined;
    } & Record<string, Untyped>);

/** Options of a server-side sign-out: the fields of a form, or an object. */
export type SignOutOptions<Redirect extends boolean = boolean> =
  | FormData
  | (Exclude<SignInOptions<Redirect>, FormData> & {
      /** `false`: keep the session at the provider, although `logout.provider` is set. Default: end it, too. */
      provider?: boolean | undefined;
    });

/** Parameters for the provider's authorization endpoint. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/** The result of `signOut` with `redirect: false`. */
export interface SignedOut {
  /** Where the visitor has to go. */
  redirect: string;
  /** The cookies that were set. */
  cookies: Cookie[];
}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the target is
 * the sign-in page.
 *
 * ```ts
 * const url = await signIn(withEnv(config, process.env), host, 'github', { redirectTo: '/account', redirect: false });
 * ```
 *
 * An email provider mails a link to the field `email`. Without `email`, the pending sign-in of this browser continues:
 * the field `code` signs in with the code of the mail. Without both fields, the mail is sent again. The visitor then
 * goes where the request for the mail said, unless `redirectTo` names another page.
 *
 * If the sign-in cannot be started, the target is the sign-in page with the code of the error, as in a browser:
 * `?error=EmailSignin` if the mail cannot be sent or the address is not valid, `?error=OAuthSignin` if the provider
 * cannot be reached. A wrong code leads to the page that asks for it, with `?error=Verification`. Too many attempts
 * lead to the sign-in page with `?error=RateLimited`.
 *
 * @returns Where the visitor has to go, with `redirect: false`. Otherwise the host goes there.
 * @throws {AuthError} If the sign-in fails for another reason: `CredentialsSignin`, `AccessDenied` and others.
 * @throws {CookiesNotWritable} Before any change, if the host cannot set cookies.
 */
export async function signIn(
  configured: EnvConfigured,
  host: Host,
  provider?: string,
  options: SignInOptions = {},
  authorizationParams?: AuthorizationParams,
): Promise<string> {
  const call = serverCall(configured, host);
  const { fields, redirects, redirectTo, callbackUrl } = readOptions(options, host);
  const go = (url: string): string => (redirects && host.redirect ? host.redirect(url) : url);
  const type = provider === undefined ? undefined : await providerType(call.settings, provider);
  if (!type) return go(`${call.base}/signin?${new URLSearchParams({ callbackUrl })}`);
  const query = new URLSearchParams(authorizationParams ?? {}).toString();
  const isPending = type === 'email' && fields['email'] === undefined;
  const request = { provider, query, fields: { ...fields, callbackUrl: isPending ? redirectTo : callbackUrl } };
  if (isPending && fields['code'] !== undefined) return go(await enterCode(call, host, { ...request, action: 'code' }));
  const action = type === 'credentials' ? 'callback' : 'signin';
  return go(await startSignIn(call, host, { ...request, action }));
}

/** Returns where the visitor goes: on with the sign-in, or to the page that names the error. */
async function startSignIn(call: ServerCall, host: Host, request: ActionRequest): Promise<string> {
  try {
    return destinationOf(call, await callAction(call, host, request));
  } catch (error) {
    // The visitor can do nothing about these, and an application cannot be expected to catch them. The log has them.
    if (error instanceof EmailSignInError) return signInPage(call, EmailSignInError.shown);
    if (error instanceof OAuthSignInError) return signInPage(call, OAuthSignInError.shown);
    throw error;
  }
}

/** Returns where a browser that posts the code goes. After a failure, this is a page with the code of the error. */
async function enterCode(call: ServerCall, host: Host, request: ActionRequest): Promise<string> {
  const reply = await callAction(call, host, { ...request, wantsUrl: true });
  const { url } = (reply.body ?? {}) as { url?: string };
  if (url === undefined) throw replyError(reply);
  return new URL(url, call.origin).href;
}

function signInPage({ settings, origin, base }: ServerCall, error: string): string {
  return pageAddress(origin, settings.pages.signIn ?? `${base}/signin`, { error });
}

/**
 * Ends the session, in the browser and in the store. With `logout.provider`, the address leads to the provider, which
 * ends its session and leads back.
 *
 * ```ts
 * const { redirect } = await signOut(withEnv(config, process.env), host, { redirect: false });
 * ```
 *
 * @returns The address and the cookies, with `redirect: false`. Otherwise the host goes to the address.
 * @throws {CookiesNotWritable} Before any change, if the host cannot set cookies.
 */
export async function signOut(configured: EnvConfigured, host: Host, options: SignOutOptions = {}): Promise<SignedOut> {
  const call = serverCall(configured, host);
  const { fields, redirects, callbackUrl } = readOptions(options, host);
  const { provider } = fields;
  const reply = await callAction(call, host, { action: 'signout', fields: { callbackUrl, provider } });
  const redirect = destinationOf(call, reply);
  return redirects && host.redirect ? host.redirect(redirect) : { redirect, cookies: [...(reply.cookies ?? [])] };
}

/**
 * Passes data to the application's callbacks with the trigger `update`, and stores the result.
 *
 * ```ts
 * const session = await updateSession(withEnv(config, process.env), host, { name: 'Ada' });
 * ```
 *
 * @param data Plain data. The callbacks receive it as JSON carries it, from a server and from a browser alike.
 * @returns The new session. It is `null` if the visitor is not signed in.
 * @throws {AuthError} If JSON cannot carry `data`.
 * @throws {AuthError} If the session cannot be read.
 * @throws {CookiesNotWritable} Before any change, if the host cannot set cookies.
 */
export async function updateSession(configured: EnvConfigured, host: Host, data: unknown): Promise<Session | null> {
  const fields = { data: copyAsJson(data, 'the data of a session update') };
  const reply = await callAction(serverCall(configured, host), host, { action: 'session', fields });
  if (reply.refused || reply.redirect !== undefined) throw replyError(reply);
  return copySession(reply.body);
}

/** The settings and addresses of one server-side call. */
export interface ServerCall {
  readonly settings: Settings;
  readonly options: CallOptions;
  readonly origin: string;
  /** Address of the actions, without a trailing slash. */
  readonly base: string;
}

/**
 * Returns the origin of the site.
 *
 * @throws {AuthError} With status 400, if neither the environment nor the request names one.
 */
export function requireOrigin({ call }: EnvConfigured, host: Pick<Host, 'origin'>): string {
  const origin = call.origin ?? host.origin;
  if (origin !== '') return origin;
  throw new AuthError('the request does not name a host. Set AUTH_URL to the address of the site', { status: 400 });
}

/** @throws {AuthError} As {@link requireOrigin}. */
export function serverCall(configured: EnvConfigured, host: Host): ServerCall {
  const { config, call } = configured;
  const settings = settingsFor(config);
  const origin = requireOrigin(configured, host);
  const basePath = host.basePath ?? settings.basePath;
  const { clientAddress, hasClient: revision, forms = 'host-checked' } = host;
  const options: CallOptions = { ...call, origin, basePath, clientAddress, revision, raw: true, forms };
  return { settings, options, origin, base: origin + basePath };
}

/** The media type by which a script asks for JSON in the place of a page. */
export const JSON_TYPE = 'application/json';

/** An action and the form that is sent to it. */
export interface ActionRequest {
  readonly action: keyof typeof routes;
  readonly provider?: string | undefined;
  /** Part of the account, with the action `account`. */
  readonly part?: string | undefined;
  readonly query?: string | undefined;
  readonly fields: Fields;
  /** Failures are replies, too: as a script in a browser receives them, with an address. Default: they are thrown. */
  readonly wantsUrl?: boolean | undefined;
  /** The media type that the reply should have. Default: as the request of the page says. */
  readonly accept?: string | undefined;
}

/**
 * Sends a form to an action, and sets the cookies of the reply on the host.
 *
 * @throws {AuthError} Of the class of the failure, if the action fails.
 * @throws {CookiesNotWritable} before the call, if the host cannot set cookies.
 */
export async function callAction(call: ServerCall, host: Host, request: ActionRequest): Promise<Reply> {
  const setCookie = cookieSetter(host);
  const options = request.wantsUrl ? { ...call.options, raw: false } : call.options;
  const reply = await handle(incomingOf(call, host, request), call.settings, options);
  for (const cookie of reply.cookies ?? []) setCookie(cookie);
  return reply;
}

function cookieSetter({ setCookie }: Host): (cookie: Cookie) => void {
  if (!setCookie) throw new CookiesNotWritable('cookies cannot be set here. Call it where the framework allows that');
  return (cookie) => {
    try {
      setCookie(cookie);
    } catch (error) {
      throw new CookiesNotWritable(
        'the framework refused a cookie. Call it where the framework allows that',
        errorOf(error),
      );
    }
  };
}

/** With this header, the reply has an address in the place of a redirect. */
const WANTS_URL = 'x-auth-return-redirect';

/** Headers of the page's request that do not describe the form sent to the action. */
const FORM_HEADERS: ReadonlySet<string> = new Set(['content-length', 'content-type', 'transfer-encoding', WANTS_URL]);

function incomingOf({ base }: ServerCall, { headers }: Host, request: ActionRequest): Incoming {
  const { action, provider, part = provider, query, fields, wantsUrl, accept } = request;
  const path = part === undefined ? action : `${action}/${encodeURIComponent(part)}`;
  const own = new Headers(headers);
  for (const name of FORM_HEADERS) own.delete(name);
  if (wantsUrl) own.set(WANTS_URL, '1');
  if (accept !== undefined) own.set('accept', accept);
  return actionRequest(`${base}/${path}${query ? `?${query}` : ''}`, own, fields);
}

/** @throws {AuthError} If the reply has no target or is a failure. The caller must not take it for a success. */
function destinationOf({ origin }: ServerCall, reply: Reply): string {
  if (reply.refused || reply.redirect === undefined) throw replyError(reply);
  return new URL(reply.redirect, origin).href;
}

/** Returns the type of a provider; `undefined` if it is not configured. */
async function providerType({ config }: Settings, id: string): Promise<ProviderType | undefined> {
  // The action needs the same code. A host that only reads sessions does not load it.
  const { readableProviders } = await import('../config/provider-options.ts');
  return readableProviders(config).find((each) => each.id === id)?.type;
}

interface Options {
  readonly fields: Fields;
  readonly redirects: boolean;
  /** Where the visitor goes afterwards, if the options say it. */
  readonly redirectTo: string | undefined;
  /** The same with its default. */
  readonly callbackUrl: string;
}

function readOptions(options: SignInOptions, { headers, home = '/' }: Host): Options {
  const { redirect, redirectTo, ...fields } = fieldsOf(options);
  const callbackUrl = redirectTo || headers.get('referer') || home;
  return { fields, redirects: redirect !== 'false', redirectTo: redirectTo || undefined, callbackUrl };
}

/** Returns each value as a form sends it, without empty values, files and fields that the framework added. */
function fieldsOf(options: SignInOptions): Record<string, string> {
  const entries = options instanceof FormData ? [...options.entries()] : Object.entries(options ?? {});
  const texts = entries.filter(
    ([name, value]) => value != null && !name.startsWith('$ACTION_') && !(value instanceof Blob),
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, textOf(name, value)]));
}

/** A form sends scopes as one text (RFC 6749 §3.3). */
function textOf(name: string, value: unknown): string {
  return name === 'scopes' && Array.isArray(value) ? value.join(' ') : String(value);
}
