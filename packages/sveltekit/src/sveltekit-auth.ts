import { Auth, relatedOrigins, serveRelatedOrigins } from '@latchkey/core';
import { type Env, isRoute, signIn, signOut, updateSession, withEnv } from '@latchkey/core/binding';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { RequestEvent } from '@sveltejs/kit';
import { environment, isBuilding } from './environment.ts';
import type { KitEvent, KitHandle } from './event.ts';
import { readSignInForm, targetOf } from './form.ts';
import { kitBase } from './kit-base.ts';
import { DEFAULT_PATH, mountOf } from './mount.ts';
import { keptPrivate } from './private.ts';
import { addressOf, originOf, Visit } from './visit.ts';

/** The configuration, as for `Auth()`. */
export interface SvelteKitAuthConfig extends Omit<AuthConfig, 'raw'> {}

/** What a form action of ours gives to its page where the form says `redirect=false`; otherwise the visitor is sent there. */
export interface ActionAnswer {
  /** Where the visitor has to go. */
  url: string;
}

/** What an application gets for its configuration. `S` is its session. */
export interface SvelteKitAuthResult<S = Session, E extends KitEvent = RequestEvent> {
  /** The hook: answers below `/auth`, and sets `event.locals.auth`. Export it from `hooks.server.ts`. */
  handle: KitHandle<E>;
  /**
   * Form action that starts a sign-in, or carries it out where credentials go along. Fields: `providerId`, `redirectTo`, `redirect`,
   * `authorizationParams-<name>`; the others are the sign-in's own (`email`, what `credentials` lists).
   *
   * @param form The fields, where the request's body has been read already. Default: the request's.
   * @throws {AuthError} when it fails: `CredentialsSignin`, with `code`, for a wrong password.
   * @throws {Redirect} Kit's, otherwise.
   */
  signIn(event: E, form?: FormData): Promise<ActionAnswer>;
  /** Form action that ends the session. Fields: `redirectTo`, `redirect`. */
  signOut(event: E, form?: FormData): Promise<ActionAnswer>;
  /** The same as `event.locals.auth()`, for places without it; its type is what `callbacks.session` returns. */
  auth(event: E): Promise<S | null>;
  /**
   * Hands data to `callbacks.jwt` and `callbacks.session` with the trigger `update`, and keeps what they make of it. `auth()` tells
   * the new session from then on.
   *
   * @returns The session as it is now, `null` without one.
   */
  update(event: E, data: unknown): Promise<S | null>;
}

/**
 * Everything for a configuration.
 *
 * ```ts
 * // src/auth.ts
 * export const { handle, signIn, signOut, auth } = SvelteKitAuth({ providers: [GitHub] });
 * ```
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Variables of the environment, over those of the process. Default: Kit's `$env/dynamic/private`. With Kit 3, pass
 *   `import * as env from '$app/env/private'`.
 */
export function SvelteKitAuth<S extends DefaultSession = Session, E extends KitEvent = RequestEvent>(
  config: ConfigWith<S> | ((event: E) => Awaitable<ConfigWith<S>>),
  env?: Env,
): SvelteKitAuthResult<SessionFrom<S>, E> {
  type Exposed = SessionFrom<S> | null;
  const visitOf = visits(config as SvelteKitAuthConfig | ((event: E) => Awaitable<SvelteKitAuthConfig>), env);
  const auth = async (event: E): Promise<Session | null> =>
    (await isBuilding(event.request)) ? null : (await visitOf(event)).session(event);
  return {
    auth: auth as (event: E) => Promise<Exposed>,
    async handle({ event, resolve }) {
      event.locals.auth ??= () => auth(event);
      event.locals.getSession ??= event.locals.auth;
      if (await isBuilding(event.request)) return resolve(event);
      const visit = await visitOf(event);
      return (await answer(event, visit)) ?? keptPrivate(await resolve(event), visit);
    },
    async signIn(event, form) {
      const visit = await visitOf(event);
      const { provider, options, authorizationParams } = readSignInForm(form ?? (await event.request.formData()));
      const sent = { ...options, redirectTo: targetOf(options['redirectTo'], event.request, kitBase()) };
      return { url: await signIn(visit.configured, visit.hostOf(event), provider, sent, authorizationParams) };
    },
    async signOut(event, form) {
      const visit = await visitOf(event);
      const { options } = readSignInForm(form ?? (await event.request.formData()));
      const sent = { ...options, redirectTo: targetOf(options['redirectTo'], event.request, kitBase()) };
      return { url: (await signOut(visit.configured, visit.hostOf(event), sent)).redirect };
    },
    async update(event, data) {
      const visit = await visitOf(event);
      return (await updateSession(visit.configured, visit.hostOf(event), data)) as Exposed;
    },
  };
}

/** One {@link Visit} per request. Kit hands out copies of an event; its request is the same. */
function visits<E extends KitEvent>(
  config: SvelteKitAuthConfig | ((event: E) => Awaitable<SvelteKitAuthConfig>),
  given: Env | undefined,
): (event: E) => Promise<Visit> {
  const known = new WeakMap<Request, Promise<Visit>>();
  let env: Promise<Env> | undefined;
  const make = async (event: E): Promise<Visit> => {
    env ??= environment(given);
    const base = kitBase();
    const wanted = typeof config === 'function' ? await config(event) : config;
    const configured = withEnv(wanted, await env, base + DEFAULT_PATH);
    return new Visit(configured, mountOf(configured.config.basePath ?? DEFAULT_PATH, base));
  };
  return (event) => {
    const visit = known.get(event.request) ?? make(event);
    known.set(event.request, visit);
    return visit;
  };
}

/** The answer to a request for one of our actions, `undefined` for others. */
async function answer(event: KitEvent, { configured, basePath }: Visit): Promise<Response | undefined> {
  const { request } = event;
  const { config, call } = configured;
  if (isRoute(new URL(request.url).pathname, basePath)) {
    return Auth(request, config, {
      ...call,
      origin: call.origin ?? originOf(event),
      basePath,
      skipCSRF: true,
      sameOriginOnly: true,
      clientAddress: addressOf(event),
      revision: true,
    });
  }
  const list = serveRelatedOrigins(request, config);
  // Without any, the address may be the application's own.
  return list && relatedOrigins(config).origins.length > 0 ? list : undefined;
}
