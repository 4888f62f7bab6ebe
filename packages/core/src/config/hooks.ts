import { EventError } from '../errors/session.ts';
import type { AuthConfig, Awaitable, CallbacksOptions, EventCallbacks, SessionCallbackParams } from '../types.ts';
import type { Log } from './logger.ts';

/** The application's decisions, defaults filled in. */
export type Callbacks = Readonly<CallbacksOptions>;

/** Tells an event to the application. Resolves when its handler is done; never rejects. */
export type Emit = <K extends keyof EventCallbacks>(
  event: K,
  message: Parameters<EventCallbacks[K]>[0],
) => Awaitable<void>;

/** Paths and addresses of our own origin. */
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

/** Fills in the default callbacks. */
export function callbacksOf(config: AuthConfig): Callbacks {
  const own = Object.entries(config.callbacks ?? {}).filter(([, callback]) => callback !== undefined);
  return Object.freeze({ ...defaultCallbacks, ...Object.fromEntries(own) });
}

/** Wraps the event handlers so that none of them can break the flow it reports. */
export function emitterOf(config: AuthConfig, logger: Log): Emit {
  const tell = async (event: string, handler: (message: unknown) => unknown, message: unknown): Promise<void> => {
    try {
      await handler.call(config.events, message);
    } catch (error) {
      await logger.error(new EventError(`the handler of the event \`${event}\` threw`, { event, err: errorOf(error) }));
    }
  };
  return (event, message) => {
    // The handlers' message types differ per key, and TypeScript cannot follow that through an index.
    const handler = config.events?.[event] as ((message: unknown) => unknown) | undefined;
    return handler && tell(event, handler, message);
  };
}

/** Whatever was thrown, as an Error that can be read. Never throws. */
export function errorOf(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && isReadable(thrown)) return thrown;
    const message = typeof thrown === 'string' ? thrown : `a ${typeof thrown} was thrown that is no Error`;
    return new Error(message, { cause: thrown });
  } catch {
    // A getter or a proxy of the application's: whoever reads it once more fails once more.
    return new Error('something was thrown that cannot be read');
  }
}

/** Reads what errors are made of by others. */
function isReadable({ name, message, cause }: Error): boolean {
  return [name, message, cause].length > 0;
}
