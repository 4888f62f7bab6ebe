import { EventError, errorOf } from '../errors.ts';
import type { Log } from '../log/logger.ts';
import type { AuthConfig, CallbacksOptions, EventCallbacks, SessionCallbackParams } from '../types/config.ts';

/** The callbacks of the application, with defaults for those that it does not define. */
export type Callbacks = Readonly<CallbacksOptions>;

type Messages = { [K in keyof EventCallbacks]: Parameters<EventCallbacks[K]>[0] };
type Handlers = { readonly [K in keyof Messages]?: ((message: Messages[K]) => unknown) | undefined };

/** Calls the application's handler for an event. Never rejects. Returns nothing at once if there is no handler. */
export type Emit = <K extends keyof Messages>(event: K, message: Messages[K]) => Promise<void> | undefined;

/** The default `redirect` callback: accepts paths, and URLs on the application's own origin. */
export const defaultRedirect: Callbacks['redirect'] = ({ url, baseUrl }) => {
  if (url.startsWith('/')) return `${baseUrl}${url}`;
  return URL.canParse(url) && new URL(url).origin === baseUrl ? url : baseUrl;
};

const defaultCallbacks: Callbacks = {
  signIn: () => true,
  redirect: defaultRedirect,
  session: ({ session }: SessionCallbackParams) => ({
    user: { name: session.user?.name, email: session.user?.email, image: session.user?.image },
    expires: isoOf(session.expires),
  }),
  jwt: ({ token }) => token,
};

function isoOf(expires: unknown): string {
  return expires instanceof Date ? expires.toISOString() : String(expires);
}

/** Returns the callbacks of a configuration, with the defaults filled in. */
export function callbacksOf(config: AuthConfig): Callbacks {
  const own = Object.entries(config.callbacks ?? {}).filter(([, callback]) => typeof callback === 'function');
  return Object.freeze({ ...defaultCallbacks, ...Object.fromEntries(own) });
}

/** The callbacks that are called. The packages for frameworks call `authorized`. */
const CALLBACK_NAMES: ReadonlySet<string> = new Set([...Object.keys(defaultCallbacks), 'authorized']);

/** Lists the callbacks of a configuration that are never called, for example because their names are misspelled. */
export function unknownCallbacks({ callbacks }: Pick<AuthConfig, 'callbacks'>): string[] {
  return Object.keys(callbacks ?? {}).filter((name) => !CALLBACK_NAMES.has(name));
}

/**
 * Returns the function that calls the event handlers of a configuration. If a handler throws, the flow that it reports
 * continues.
 */
export function emitterOf({ events }: AuthConfig, logger: Log): Emit {
  const handlers: Handlers = events ?? {};
  const call: Emit = async (event, message) => {
    try {
      await handlers[event]?.(message);
    } catch (error) {
      logger.error(new EventError(`the handler of the event \`${event}\` threw`, { event, err: errorOf(error) }));
    }
  };
  return (event, message) => (handlers[event] ? call(event, message) : undefined);
}
