import { checkBasics, notForSessions } from '../config/check.ts';
import { providerFindings } from '../config/check-providers.ts';
import { callbacksOf } from '../config/hooks.ts';
import { providerOf } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import type { CallOptions, Context, Incoming, RoutedRequest, Routes } from '../context.ts';
import { AuthError, errorOf, UnknownAction, UntrustedHost } from '../errors.ts';
import { createContext, routeRequest } from '../guards/create-context.ts';
import { formRefusal } from '../guards/csrf.ts';
import { takeFlow, verifyChecks } from '../identity/oauth/checks.ts';
import type { Cause } from '../types/cause.ts';
import { isPrivateHost } from '../wire/host.ts';
import { causes, type Facts, shownFacts } from './causes.ts';
import { refusalOf } from './refusal.ts';
import { readWithoutEffects } from './session.ts';

/** Why a request has no session, or would be refused. */
export interface Explanation {
  /**
   * `session`: the request has a session. `no-session`: it does not. `refused`: the form or the callback would be
   * refused. `accepted`: nothing that can be checked without an effect refuses it.
   */
  readonly outcome: 'session' | 'no-session' | 'refused' | 'accepted';
  /** Absent with `session` and `accepted`. */
  readonly cause?: Cause | undefined;
  /** The event, in one sentence. */
  readonly text?: string | undefined;
  /** Instruction. */
  readonly remedy?: string | undefined;
  /** Names, sizes and ages; never values of cookies, tokens or claims. */
  readonly facts: Facts;
  /** The checks that were made, in this order. */
  readonly steps: readonly string[];
}

/** A request to explain. */
export interface ExplainInput {
  readonly incoming: Incoming;
  readonly settings: Settings;
  readonly call: CallOptions;
  readonly runsCallbacks: boolean;
  readonly isPrerendering: boolean;
}

/** Explains a request. It has no effect. */
export async function explainRequest(table: Routes, input: ExplainInput): Promise<Explanation> {
  const { incoming, settings, call, isPrerendering, runsCallbacks } = input;
  const routed = await routedRequest(table, incoming, settings, call);
  const { request } = routed;
  const steps: string[] = [`${incoming.method} ${request.url.pathname}`];
  const failure = checkConfiguration(request);
  if (failure) return result('no-session', failure.cause, failure.facts, steps);
  steps.push(`configuration: no problem; host: trusted`);
  if (routed.hasOtherBasePath) {
    const facts = { path: request.url.pathname, basePath: request.basePath || '/' };
    return result('no-session', 'base-path', facts, steps);
  }
  if (isPrerendering) return result('no-session', 'prerendering', {}, steps);
  const isForm = incoming.method !== 'GET' || request.action === 'callback';
  if (routed.isAction && isForm && request.action !== 'session') return explainForm(table, request, steps);
  const { noSession, steps: more } = await readWithoutEffects(await quietContext(request), runsCallbacks);
  const all = [...steps, ...more];
  return noSession
    ? result('no-session', noSession.cause, noSession.facts, all)
    : { outcome: 'session', facts: {}, steps: all };
}

/** The explanation if the configuration or the request cannot be read. */
export function unreadable(error: unknown): Explanation {
  return result('no-session', 'configuration', { message: errorOf(error).message }, ['an error occurred']);
}

function result(
  outcome: 'no-session' | 'refused',
  cause: Cause,
  facts: Readonly<Record<string, unknown>>,
  steps: readonly string[],
): Explanation {
  const { text, remedy } = causes[cause];
  return { outcome, cause, text, remedy, facts: shownFacts(cause, facts), steps };
}

interface Routed {
  readonly request: RoutedRequest;
  readonly isAction: boolean;
  /** The path is one of an action, but below another base path. */
  readonly hasOtherBasePath: boolean;
}

/** The usual base paths. */
const BASE_PATHS = ['/auth', '/api/auth'];

/** A page of the application counts as `GET session`: both read the same cookie. */
async function routedRequest(
  table: Routes,
  incoming: Incoming,
  settings: Settings,
  call: CallOptions,
): Promise<Routed> {
  try {
    return { request: await routeRequest(table, incoming, settings, call), isAction: true, hasOtherBasePath: false };
  } catch (error) {
    if (!(error instanceof UnknownAction)) throw error;
    const basePath = call.basePath ?? settings.basePath;
    const { pathname } = new URL(incoming.url);
    const isOwn = pathname.startsWith(`${basePath}/`);
    const hasOtherBasePath = isOwn || BASE_PATHS.some((base) => actionBelow(table, pathname, base));
    const asSession: Incoming = {
      ...incoming,
      method: 'GET',
      url: new URL(`${basePath}/session`, incoming.url).href,
      header: (name) => incoming.header(name),
      headers: () => incoming.headers(),
      body: async () => undefined,
    };
    const request = await routeRequest(table, asSession, settings, call);
    // Assigned: as a reference, a path that begins with two slashes would name a host.
    const url = new URL(request.url);
    url.pathname = pathname;
    return { request: { ...request, url }, isAction: false, hasOtherBasePath };
  }
}

function actionBelow(table: Routes, pathname: string, base: string): boolean {
  const [action = ''] = pathname.startsWith(`${base}/`) ? pathname.slice(base.length + 1).split('/') : [];
  return Object.hasOwn(table, action);
}

interface ConfigurationFailure {
  readonly cause: 'configuration' | 'host-untrusted';
  readonly facts: Readonly<Record<string, unknown>>;
}

function checkConfiguration(request: RoutedRequest): ConfigurationFailure | undefined {
  const { settings, url, action, incoming } = request;
  const { config, checksNeeded } = settings;
  const isRead = action === 'session' && incoming.method === 'GET';
  const needed = isRead ? checksNeeded.filter((check) => !notForSessions.has(check)) : checksNeeded;
  const { problems } = checkBasics(config, needed, url);
  const all = isRead ? problems : [...problems, ...providerFindings(settings).general];
  const [problem] = all;
  if (problem instanceof UntrustedHost) return { cause: 'host-untrusted', facts: { host: url.host } };
  if (problem) return { cause: 'configuration', facts: { type: problem.type, message: problem.message } };
  const isTrusted = config.trustHost !== 'local' || isPrivateHost(url.hostname);
  return isTrusted ? undefined : { cause: 'host-untrusted', facts: { host: url.host } };
}

/** The context of the request. The application's `redirect` callback is not called. */
async function quietContext(request: RoutedRequest): Promise<Context> {
  const settings = { ...request.settings, callbacks: callbacksOf({ providers: [] }) };
  const context = await createContext({ ...request, settings, spentCookies: [], renewal: { cookies: [] } });
  return { ...context, settings: request.settings };
}

/** Explains a form, or the answer of a provider. A sign-in is not carried out. */
async function explainForm(table: Routes, request: RoutedRequest, steps: string[]): Promise<Explanation> {
  const { action, incoming, settings, providerId } = request;
  const route = table[action]?.[incoming.method === 'GET' ? 'GET' : 'POST'];
  if (!route) return result('refused', 'method', { method: incoming.method }, steps);
  const context = await quietContext(request);
  const isForm = typeof route.csrf === 'function' ? false : route.csrf;
  const refused = isForm ? formRefusal(context) : undefined;
  if (refused) return result('refused', refused, formFacts(context), steps);
  if (isForm) steps.push('form: comes from the site');
  const provider =
    providerId === undefined ? undefined : providerOf(settings, providerId, request.origin + request.basePath);
  if (providerId !== undefined && !provider)
    return result('refused', 'provider-unknown', { provider: providerId }, steps);
  if (action !== 'callback' || !provider || (provider.type !== 'oauth' && provider.type !== 'oidc')) {
    return { outcome: 'accepted', facts: {}, steps };
  }
  const params = incoming.method === 'GET' ? request.query : request.body;
  const { error, state } = params;
  if (typeof error === 'string') return result('refused', 'provider-error', { provider: provider.id, error }, steps);
  try {
    const id = typeof state === 'string' ? state : undefined;
    const flow = await takeFlow(context, provider, id);
    verifyChecks(context, provider, flow.value, id);
    flow.verify();
  } catch (thrown) {
    const cause = thrown instanceof AuthError ? refusalOf(thrown) : undefined;
    const facts = thrown instanceof AuthError ? { ...thrown.cause } : {};
    return result('refused', cause ?? 'flow-missing', { ...facts, expected: context.cookieTable.state.name }, steps);
  }
  return { outcome: 'accepted', facts: {}, steps: [...steps, 'callback: the browser has the cookies of this sign-in'] };
}

function formFacts({ browser, body, incoming, origin }: Context): Readonly<Record<string, unknown>> {
  const from = incoming.header('origin');
  return {
    cookie: browser?.isBrought === true,
    field: body.csrfToken !== undefined,
    origin: from ?? incoming.header('sec-fetch-site'),
    expected: origin,
  };
}
