import { type Env, type EnvConfigured, processEnv, withEnv } from '../config/env.ts';
import type { RequestAccount } from '../types/account.ts';
import type { AuthConfig } from '../types/config.ts';
import type { MailStatus, Session } from '../types/session.ts';
import type { VisitorSessions } from '../types/session-records.ts';
import type { VisitorTokens } from '../types/tokens.ts';
import type { Awaitable } from '../types/user.ts';
import { accountOfRequest } from './account.ts';
import {
  type AuthorizationParams,
  requireOrigin,
  type SignedOut,
  type SignInOptions,
  type SignOutOptions,
} from './server-call.ts';
import { sessionsOfVisitor, type Visitor } from './sessions.ts';
import { tokensOfVisitor } from './tokens.ts';
import { Visit, type VisitRequest } from './visit.ts';

const known = new WeakMap<object, WeakMap<AuthConfig, Visit>>();

/**
 * Returns the visit of a request, one for each configuration. It is for bindings whose functions receive the
 * configuration; the others use {@link visits}.
 *
 * ```ts
 * const visit = cachedVisit(request, configured, () => new Visit(configured, describe(request)));
 * ```
 *
 * @param key An object that is the same for all parts of one request.
 */
export function cachedVisit(key: object, { config }: EnvConfigured, make: () => Visit): Visit {
  const byConfig = known.get(key) ?? new WeakMap<AuthConfig, Visit>();
  known.set(key, byConfig);
  const visit = byConfig.get(config) ?? make();
  byConfig.set(config, visit);
  return visit;
}

/** How a binding makes the visit of a request. `C` is the framework's context. */
export interface VisitSource<C> {
  /** The configuration, or a function that makes it once for each request. */
  readonly config: AuthConfig | ((context: C) => Awaitable<AuthConfig>);
  /** The environment variables, or where the context has them. Default: those of the process. */
  readonly env?: Env | ((context: C) => Awaitable<Env | undefined>) | undefined;
  /** The base path if neither the configuration nor the environment names one. Default: `/auth`. */
  readonly basePath?: string | undefined;
  /** Returns an object that is the same for all contexts of one request. */
  key(context: C): object;
  /** Describes the request. */
  describe(context: C, configured: EnvConfigured): VisitRequest;
}

/**
 * Returns a function that makes one {@link Visit} per request.
 *
 * ```ts
 * const visitOf = visits<Context>({ config, env, key: (c) => c.req.raw, describe });
 * const session = await (await visitOf(c)).session();
 * ```
 *
 * The function rejects with a `TypeError` if there is no configuration. Errors of a configuration function reject, too.
 */
export function visits<C>(source: VisitSource<C>): (context: C) => Promise<Visit> {
  const made = new WeakMap<object, Promise<Visit>>();
  const make = async (context: C): Promise<Visit> => {
    const configured = await configuredFor(source, context);
    return new Visit(configured, source.describe(context, configured));
  };
  return (context) => {
    const key = source.key(context);
    const visit = made.get(key) ?? make(context);
    made.set(key, visit);
    return visit;
  };
}

async function configuredFor<C>({ config, env, basePath }: VisitSource<C>, context: C): Promise<EnvConfigured> {
  const own = typeof config === 'function' ? await config(context) : config;
  if (!own) throw new TypeError('the binding needs a configuration, or a function that returns one');
  const variables = typeof env === 'function' ? await env(context) : env;
  return withEnv(own, variables ?? processEnv(), basePath);
}

/** The functions of a binding that take the framework's context. `S` is the session of the application. */
export interface ServerFunctions<C, S = Session> {
  /** Returns the session, which is read once per request and renewed when it is due. */
  auth(context: C): Promise<S | null>;
  /** Starts or completes a sign-in. Returns the address, unless the framework can redirect. */
  signIn(
    context: C,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<string>;
  /** Ends the session, in the browser and in the store. */
  signOut(context: C, options?: SignOutOptions): Promise<SignedOut>;
  /** Passes data to the callbacks with the trigger `update`, and returns the new session. */
  update(context: C, data: unknown): Promise<S | null>;
  /** Returns what a page shows of the mail that the browser has requested. */
  pendingMail(context: C, provider?: string): Promise<MailStatus | null>;
  /** Returns functions that list and end the sessions of the visitor. They need the option `session.records`. */
  sessions(context: C): VisitorSessions;
  /** Returns functions with which the visitor reads and changes the own account. They need the option `account`. */
  account(context: C): RequestAccount;
  /** Returns functions that use the provider tokens of the visitor. They need the option `tokens`. */
  tokens(context: C): VisitorTokens;
}

/** Options of {@link serverFunctions}. */
export interface ServerFunctionsOptions {
  /**
   * Returns the error that the framework understands, for an error of a function; see `statusOf`. The functions of
   * `sessions`, `account` and `tokens` pass the error of a request without a valid host only: the application handles
   * their other errors. Default: the error itself.
   */
  readonly mapError?: ((error: unknown) => unknown) | undefined;
}

/**
 * Returns the functions of a binding that take the framework's context.
 *
 * ```ts
 * return { handler, required, ...serverFunctions<Context, SessionFrom<S>>(visitOf, { mapError }) };
 * ```
 */
export function serverFunctions<C, S = Session>(
  visitOf: (context: C) => Awaitable<Visit>,
  { mapError = (error) => error }: ServerFunctionsOptions = {},
): ServerFunctions<C, S> {
  const run = async <T>(context: C, call: (visit: Visit) => Awaitable<T>): Promise<T> => {
    try {
      return await call(await visitOf(context));
    } catch (error) {
      throw mapError(error);
    }
  };
  const visitor = (context: C): Promise<Visitor> =>
    run(context, (visit) => {
      requireOrigin(visit.configured, visit);
      return visit.visitor();
    });
  return {
    auth: (context) => run(context, (visit) => visit.session() as Promise<S | null>),
    signIn: (context, ...given) => run(context, (visit) => visit.signIn(...given)),
    signOut: (context, options) => run(context, (visit) => visit.signOut(options)),
    update: (context, data) => run(context, (visit) => visit.update(data) as Promise<S | null>),
    pendingMail: (context, provider) => run(context, (visit) => visit.pendingMail(provider)),
    sessions: (context) => sessionsOfVisitor(() => visitor(context)),
    account: (context) => accountOfRequest(() => visitor(context)),
    tokens: (context) => tokensOfVisitor(() => visitor(context)),
  };
}
