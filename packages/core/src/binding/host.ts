import { handle } from '../auth.ts';
import type { EnvConfigured } from '../config/env.ts';
import { type Settings, settingsFor } from '../config/settings.ts';
import type { CallOptions, Fields, Incoming, Reply } from '../context.ts';
import { AuthError } from '../errors/base.ts';
import { CookiesNotWritable } from '../errors/session.ts';
import type { AuthAction, Cookie } from '../types.ts';

/** A request in progress, as its framework shows it. */
export interface Host {
  /** Our origin as the host knows it, '' when the request names none; that of the environment wins. */
  readonly origin: string;
  /** Where we are mounted. Default: as configured. */
  readonly basePath?: string | undefined;
  readonly headers: Headers;
  /** The visitor's network address, where the framework knows it. */
  readonly clientAddress?: string | undefined;
  /**
   * The request may be another site's doing: it has to come from our own origin, whatever the framework has checked. Default: `false`,
   * the framework has checked all there is.
   */
  readonly sameOriginOnly?: boolean | undefined;
  /** The browser has scripts of ours that keep a session: changes are told by the cookie `authjs.revision`. Default: `false`. */
  readonly hasClient?: boolean | undefined;
  /**
   * Puts a cookie on the answer in the making. Absent where the framework lets nobody set cookies (while a page is rendered);
   * a host that cannot know it in advance throws.
   */
  readonly setCookie?: ((cookie: Cookie) => void) | undefined;
  /** Leaves the function in progress for another address, in the framework's way. */
  redirect(url: string): never;
}

/** What a server-side call asks of an action. */
export interface Asked {
  readonly action: AuthAction;
  readonly provider?: string | undefined;
  readonly query?: string | undefined;
  readonly fields: Fields;
}

/** How the call is to be handled, and what it is asked with: shared by `signIn`, `signOut` and `update`. */
export interface Desk {
  readonly settings: Settings;
  readonly call: CallOptions;
  /** Our origin. */
  readonly origin: string;
  /** Address of our actions, without a trailing slash. */
  readonly base: string;
}

/**
 * Settings and address for one call.
 *
 * @throws {AuthError} when neither the environment nor the request tells our origin.
 */
export function deskOf({ config, call }: EnvConfigured, host: Host): Desk {
  const settings = settingsFor(config);
  const origin = call.origin ?? host.origin;
  if (origin === '') throw new AuthError('the request names no host. Set AUTH_URL to the address of the site');
  const basePath = host.basePath ?? settings.basePath;
  const { clientAddress, hasClient, sameOriginOnly } = host;
  const options: CallOptions = {
    ...call,
    origin,
    basePath,
    clientAddress,
    revision: hasClient,
    raw: true,
    skipCSRF: true,
    sameOriginOnly,
  };
  return { settings, call: options, origin, base: origin + basePath };
}

/**
 * Asks an action as a form of ours would, and puts the cookies of its answer on the host's.
 *
 * @throws {AuthError} when the action fails, by the class of its failure.
 * @throws {CookiesNotWritable} before anything is done, where no cookie can be set.
 */
export async function ask(desk: Desk, host: Host, asked: Asked): Promise<Reply> {
  const setCookie = writable(host);
  const reply = await handle(incomingOf(desk, host, asked), desk.settings, desk.call);
  for (const cookie of reply.cookies ?? []) setCookie(cookie);
  return reply;
}

/**
 * Where an answer leads.
 *
 * @throws {AuthError} when it leads nowhere, or to the page that tells visitors of a failure: the caller must not take that for success.
 */
export function destinationOf({ origin }: Desk, reply: Reply): string {
  if (reply.refused || reply.redirect === undefined) throw failureOf(reply);
  return new URL(reply.redirect, origin).href;
}

/** What a reply says that is no success: the reason for the log, and for the caller. */
export function failureOf({ status, body }: Reply): AuthError {
  const { message } = (body ?? {}) as { message?: unknown };
  return new AuthError(typeof message === 'string' ? message : 'the request could not be carried out', { status });
}

function writable({ setCookie }: Host): (cookie: Cookie) => void {
  if (!setCookie) throw new CookiesNotWritable('cookies cannot be set here. Call it where the framework allows that');
  return (cookie) => {
    try {
      setCookie(cookie);
    } catch (error) {
      throw new CookiesNotWritable(
        'the framework refused a cookie. Call it where the framework allows that',
        error as Error,
      );
    }
  };
}

/** Headers of the page's own request that say nothing about ours. */
const NOT_OURS: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'transfer-encoding',
  'x-auth-return-redirect',
]);

function incomingOf(desk: Desk, { headers }: Host, { action, provider, query, fields }: Asked): Incoming {
  const path = provider === undefined ? action : `${action}/${encodeURIComponent(provider)}`;
  return {
    method: 'POST',
    url: `${desk.base}/${path}${query ? `?${query}` : ''}`,
    header: (name) => (NOT_OURS.has(name) ? undefined : (headers.get(name) ?? undefined)),
    headers() {
      const own = new Headers(headers);
      for (const name of NOT_OURS) own.delete(name);
      return own;
    },
    body: async () => fields,
  };
}
