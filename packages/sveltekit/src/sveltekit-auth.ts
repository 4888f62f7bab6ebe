import {
  accountOfVisitor,
  answerRequest,
  assertConfig as assertWithEnv,
  completeResponse,
  type Env,
  ownCookies,
  sessionsOfVisitor,
  startBinding,
  tokensOfVisitor,
  type Visit,
  type Visitor,
  visits,
} from '@latchkey/core/binding';
import { TokensUnavailable } from '@latchkey/core/errors';
import type {
  AuthConfig,
  Awaitable,
  ConfigWith,
  DefaultSession,
  MailStatus,
  Session,
  SessionFrom,
  Untyped,
  VisitorAccount,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
import type { RequestEvent } from '@sveltejs/kit';
import type { KitEvent, KitHandle } from './event.ts';
import { environment, isBuilding, isPrerendering, kitBase } from './kit.ts';
import { DEFAULT_PATH, requestOf } from './visit.ts';

/** The configuration, as for `Auth()`. */
export interface SvelteKitAuthConfig extends Omit<AuthConfig, 'raw'> {}

/** The result of the form actions with the field `redirect=false`. Otherwise they redirect the visitor. */
export interface ActionAnswer {
  /** Where the visitor has to go. */
  url: string;
  /** There are no other members. As with Auth.js, a page may read those of its other actions: `form?.error`. */
  [member: string]: Untyped;
}

/** Options of `auth`. */
export interface SessionReadOptions {
  /** `never`: the session is only read, because Kit refuses cookies, as in a remote `query`. Default: `when-due`. */
  renew?: 'when-due' | 'never' | undefined;
}

/** The result of {@link SvelteKitAuth}. `S` is the session of the application. */
export interface SvelteKitAuthResult<S = Session, E extends KitEvent = RequestEvent> {
  /** The hook: answers below `/auth`, and sets `event.locals.auth`. Export it from `hooks.server.ts`. */
  handle: KitHandle<E>;
  /**
   * Form action that starts a sign-in at a provider, or signs in if the form holds credentials. It reads the fields
   * `providerId`, `redirectTo`, `redirect` and `authorizationParams-<name>`. The other fields belong to the sign-in:
   * `email`, and those of the option `credentials`.
   *
   * An email provider mails a link to the field `email`. Without `email`, the pending sign-in of the browser continues:
   * the field `code` signs in with the code of the mail. Without both fields, the mail is sent again.
   *
   * ```ts
   * export const actions = { default: signIn };
   * ```
   *
   * @param form The fields, if the body of the request has been read already. Default: the request's.
   * @throws {AuthError} If the sign-in fails: `CredentialsSignin`, with `code`, for a wrong password. If a mail cannot
   *   be sent or a provider cannot be reached, the visitor goes to the sign-in page with `?error=EmailSignin` or
   *   `?error=OAuthSignin` instead. A wrong code leads to the page that asks for it, with `?error=Verification`. Too
   *   many attempts lead to the sign-in page with `?error=RateLimited`.
   * @throws {Redirect} Kit's, otherwise.
   */
  signIn(event: E, form?: FormData): Promise<ActionAnswer>;
  /**
   * Form action that ends the session. It reads the fields `redirectTo`, `redirect` and, with `logout.provider`,
   * `provider`: with the value `false`, the session at the provider is kept.
   *
   * ```ts
   * export const actions = { default: signOut };
   * ```
   */
  signOut(event: E, form?: FormData): Promise<ActionAnswer>;
  /**
   * The same as `event.locals.auth()`, with the type that `callbacks.session` returns.
   *
   * ```ts
   * const session = await auth(event);
   * ```
   */
  auth(event: E, options?: SessionReadOptions): Promise<S | null>;
  /**
   * Passes data to `callbacks.jwt` and `callbacks.session` with the trigger `update`, and stores the result. From then
   * on, `auth()` returns the new session.
   *
   * ```ts
   * const session = await update(event, { name: 'Ada' });
   * ```
   *
   * @returns The new session. It is `null` if the visitor is not signed in.
   */
  update(event: E, data: unknown): Promise<S | null>;
  /**
   * Returns what your own page of `pages.verifyRequest` shows of the mail that the visitor has requested. Reads a
   * cookie; the store is not used.
   *
   * ```ts
   * export const load = async (event) => ({ mail: await pendingMail(event) });
   * ```
   *
   * @param provider Id of the provider that must have sent the mail. Default: any.
   * @returns `null` if this browser has no pending mail: it has not requested one, the mail has expired, or the
   *   provider has neither `code` nor `confirm`. Also `null` while Kit prerenders.
   * @throws {AuthError} If the configuration has a problem.
   */
  pendingMail(event: E, provider?: string): Promise<MailStatus | null>;
  /**
   * Returns functions that list and end the sessions of the visitor, with the option `session.records`.
   *
   * ```ts
   * export const load = async (event) => ({ sessions: await sessions(event).list() });
   * export const actions = { others: async (event) => ({ ended: (await sessions(event).endOthers()).count }) };
   * ```
   *
   * While Kit prerenders, the list is empty.
   */
  sessions(event: E): VisitorSessions;
  /**
   * Returns functions with which the visitor reads and changes the own account, with the option `account`.
   *
   * ```ts
   * export const load = async (event) => ({ ways: await account(event).list() });
   * export const actions = { github: (event) => account(event).link('github', { redirectTo: '/me' }) };
   * ```
   *
   * While Kit prerenders, the list is empty.
   */
  account(event: E): VisitorAccount;
  /**
   * Returns functions that use the provider tokens of the visitor, with the option `tokens`.
   *
   * ```ts
   * export const load = async (event) => {
   *   const url = 'https://www.googleapis.com/calendar/v3/users/me/calendarList';
   *   return { calendars: await (await tokens(event).fetch('google', url)).json() };
   * };
   * ```
   *
   * While Kit prerenders, `get` and `fetch` throw `TokensUnavailable` with the code `signed-out`.
   */
  tokens(event: E): VisitorTokens;
}

const PRERENDERED = 'Kit builds this page without a visitor. Remove `prerender` from it';

/**
 * Creates the hook, the form actions and the functions of an application on SvelteKit.
 *
 * ```ts
 * // src/auth.ts
 * export const { handle, signIn, signOut, auth } = SvelteKitAuth({ providers: [GitHub] });
 * ```
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables, with precedence over those of the process. Default: Kit's `$env/dynamic/private`.
 *   With Kit 3, pass `import * as env from '$app/env/private'`.
 */
export function SvelteKitAuth<S extends DefaultSession = Session, E extends KitEvent = RequestEvent>(
  config: ConfigWith<S> | ((event: E) => Awaitable<ConfigWith<S>>),
  env?: Env,
): SvelteKitAuthResult<SessionFrom<S>, E> {
  type Exposed = SessionFrom<S> | null;
  startBinding({
    binding: 'sveltekit',
    config,
    env,
    basePath: DEFAULT_PATH,
    checkedEnv: async () => ((await isPrerendering()) ? undefined : environment(env)),
  });
  const answered = new WeakSet<Request>();
  const visitOf = visitsOf(
    config as SvelteKitAuthConfig | ((event: E) => Awaitable<SvelteKitAuthConfig>),
    env,
    answered,
  );
  const visitorOf = async (event: E): Promise<Visitor> => (await visitOf(event)).visitor();
  const auth = async (event: E, { renew }: SessionReadOptions = {}): Promise<Session | null> => {
    if (await isBuilding(event.request)) return null;
    const visit = await visitOf(event);
    return visit.as({ ...visit.request, renew }).session();
  };
  return {
    auth: auth as (event: E, options?: SessionReadOptions) => Promise<Exposed>,
    async handle({ event, resolve }) {
      event.locals.auth ??= () => auth(event);
      event.locals.getSession ??= event.locals.auth;
      if (await isBuilding(event.request)) return resolve(event);
      const visit = await visitOf(event);
      const answer = await answerRequest(event.request, visit, { forms: 'same-origin' });
      if (answer) return answer;
      const response = await resolve(event);
      answered.add(event.request);
      return withCacheRules(response, visit);
    },
    async signIn(event, form) {
      const { provider, options, authorizationParams } = await readForm(event, form);
      return { url: await (await visitOf(event)).signIn(provider, options, authorizationParams) };
    },
    async signOut(event, form) {
      const { options } = await readForm(event, form);
      return { url: (await (await visitOf(event)).signOut(options)).redirect };
    },
    async update(event, data) {
      return (await (await visitOf(event)).update(data)) as Exposed;
    },
    account: (event) => {
      const account = accountOfVisitor(() => visitorOf(event));
      return { ...account, list: async () => ((await isBuilding(event.request)) ? [] : account.list()) };
    },
    sessions: (event) => {
      const sessions = sessionsOfVisitor(() => visitorOf(event));
      return { ...sessions, list: async () => ((await isBuilding(event.request)) ? [] : sessions.list()) };
    },
    tokens: (event) => {
      const tokens = tokensOfVisitor(async () => {
        if (await isBuilding(event.request)) throw new TokensUnavailable(PRERENDERED, { code: 'signed-out' });
        return visitorOf(event);
      });
      return { ...tokens, list: async () => ((await isBuilding(event.request)) ? [] : tokens.list()) };
    },
    async pendingMail(event, provider) {
      return (await isBuilding(event.request)) ? null : (await visitOf(event)).pendingMail(provider);
    },
  };
}

/**
 * Throws if a configuration has problems, so that an application does not start with them.
 *
 * ```ts
 * // src/hooks.server.ts
 * export const init = () => assertConfig(config);
 * ```
 *
 * @param env Environment variables, as for `SvelteKitAuth`.
 * @throws {AuthError} With all problems in `errors`.
 */
export async function assertConfig(config: SvelteKitAuthConfig, env?: Env): Promise<void> {
  if (!(await isPrerendering())) await assertWithEnv(config, await environment(env), kitBase() + DEFAULT_PATH);
}

/** Makes one visit per request. Kit copies events, but not their request. Each copy has its own rules for cookies. */
function visitsOf<E extends KitEvent>(
  config: SvelteKitAuthConfig | ((event: E) => Awaitable<SvelteKitAuthConfig>),
  given: Env | undefined,
  answered: WeakSet<Request>,
): (event: E) => Promise<Visit> {
  let env: Promise<Env> | undefined;
  const visitOf = visits<E>({
    config,
    env: () => {
      env ??= environment(given);
      return env;
    },
    get basePath() {
      return kitBase() + DEFAULT_PATH;
    },
    key: ({ request }) => request,
    describe: (event, configured) => requestOf(event, configured, kitBase(), answered),
  });
  return async (event) => {
    const visit = await visitOf(event);
    return visit.as(requestOf(event, visit.configured, kitBase(), answered));
  };
}

/**
 * Keeps an answer out of shared caches if it has cookies of this library, or depends on the visitor. Kit has set the
 * cookies of the visit, and those of the page's own requests, which are other visits.
 */
function withCacheRules(response: Response, visit: Visit): Response {
  const { isOwn } = ownCookies(visit.configured, visit.origin);
  const nameOf = (line: string): string => line.slice(0, line.indexOf('=')).trim();
  const lines = response.headers.getSetCookie().filter((line) => isOwn(nameOf(line)));
  const callCookies = lines.filter((line) => visit.hasSet(nameOf(line)));
  const renewed = lines.filter((line) => !callCookies.includes(line));
  return lines.length > 0 || visit.isPersonal ? completeResponse(response, { renewed, callCookies }) : response;
}

/** The fields of a form, sorted. */
interface ActionForm {
  readonly provider: string | undefined;
  /** Parameters for the provider's authorization endpoint. */
  readonly authorizationParams: [name: string, value: string][];
  /** All other fields. */
  readonly options: Record<string, string | undefined>;
}

const PARAM = 'authorizationParams-';

async function readForm({ request }: KitEvent, given: FormData | undefined): Promise<ActionForm> {
  const form = given ?? (await request.formData());
  const entries = [...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const params = entries.filter(([name]) => name.startsWith(PARAM));
  const provider = form.get('providerId');
  const others = Object.fromEntries(entries.filter((entry) => entry[0] !== 'providerId' && !params.includes(entry)));
  return {
    provider: typeof provider === 'string' && provider !== '' ? provider : undefined,
    authorizationParams: params.map(([name, value]) => [name.slice(PARAM.length), value]),
    options: { ...others, redirectTo: targetOf(others['redirectTo'], request) },
  };
}

/**
 * Returns where the visitor goes afterwards, if the form says it.
 *
 * @param target While Kit 3 answers a request, `resolve()` returns a path relative to the address of that request.
 */
function targetOf(target: string | undefined, { url }: Request): string | undefined {
  return target?.startsWith('.') ? new URL(target, url).href : target;
}
