'use client';

import { announce } from '@latchkey/core/client';
import type { Session } from '@latchkey/core/types';
import {
  type Context,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { SessionLike, SessionOf } from './actions.ts';
import { __NEXTAUTH, actionsAddress, isServer, orNull } from './requests.ts';
import * as store from './store.ts';

/** Passes data to the application's callbacks with the trigger `update`. Without data, requests the session. */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null | undefined>;

/**
 * The result of `useSession`. `data` is the session; `null` if the visitor is not signed in; `undefined` while it is
 * loading, which the types of Auth.js v5 call `null`. With `required`, `status` is never `unauthenticated`, because the
 * visitor is sent to the sign-in page.
 */
export type SessionContextValue<Required extends boolean = false, S = Session> =
  | { update: UpdateSession<S>; data: S; status: 'authenticated' }
  | { update: UpdateSession<S>; data: null; status: Required extends true ? 'loading' : 'unauthenticated' | 'loading' };

/** Options of `useSession`. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** `true`: the component is for signed-in visitors only. Default: `false`. */
  required: Required;
  /** Called for other visitors. Default: they go to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined;
}

/** Properties of `SessionProvider`. */
export interface SessionProviderProps {
  /** The components that may call `useSession`. */
  children?: ReactNode;
  /** The session that the server rendered, or `null`. With `undefined`, the provider requests it. */
  session?: Session | null | undefined;
  /** Has no effect; for compatibility. */
  baseUrl?: string | undefined;
  /** Path of the actions, from the root of the site. Default: `/api/auth` below the application's own base path. */
  basePath?: string | undefined;
  /** Seconds after which a session is requested again. Default: 0, never. */
  refetchInterval?: number | undefined;
  /** Request again when the visitor returns to the tab and the last answer is a minute old. Default: `true`. */
  refetchOnWindowFocus?: boolean | undefined;
  /** Whether `refetchInterval` continues without a network. Default: `true`. */
  refetchWhenOffline?: false | undefined;
}

/** The context that `useSession` reads, for tests and class components. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<SessionContextValue | undefined>(
  undefined,
);

const useBeforePaint = isServer ? useEffect : useLayoutEffect;

/**
 * Provides the session to the components inside.
 *
 * ```tsx
 * <SessionProvider session={await auth()}>{children}</SessionProvider>
 * ```
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const { children, session, basePath, refetchInterval, refetchWhenOffline, refetchOnWindowFocus } = props;
  if (basePath) __NEXTAUTH.basePath = basePath;
  // On a server and until hydration, the session is the one that was rendered.
  const answers = useSyncExternalStore(store.subscribe, store.answers, () => 0);
  const known = answers > 0 ? __NEXTAUTH._session : session;
  useBeforePaint(() => store.adopt(session), [session]);
  useEffect(() => store.revisit(refetchOnWindowFocus !== false));
  useEffect(() => {
    if (!refetchInterval) return;
    const poll = () => (refetchWhenOffline !== false || navigator.onLine) && store.poll();
    const timer = setInterval(poll, refetchInterval * 1000);
    return () => clearInterval(timer);
  }, [refetchInterval, refetchWhenOffline]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer makes a new value
  const value = useMemo(() => contextOf(known), [known, answers]);
  return createElement(SessionContext.Provider, { value }, children);
}

function contextOf(data: Session | null | undefined): SessionContextValue {
  const status = data ? 'authenticated' : data === null ? 'unauthenticated' : 'loading';
  return { data, status, update } as SessionContextValue;
}

async function update(data?: unknown): Promise<Session | null | undefined> {
  if (__NEXTAUTH._session === undefined) return;
  const session = await orNull(data === undefined ? store.load() : store.update(data));
  if (session) announce('getSession');
  return session;
}

/**
 * Returns the visitor's session. `useSession<typeof auth>()` gives it the type that `callbacks.session` returns.
 *
 * ```tsx
 * const { data: session, status, update } = useSession<typeof auth>();
 * ```
 *
 * @throws {Error} Outside of a `SessionProvider`.
 */
export function useSession<Required extends boolean>(
  options?: UseSessionOptions<Required>,
): SessionContextValue<Required>;
/**
 * Returns the visitor's session with the type of `callbacks.session`. A visitor without
 * a session goes to the sign-in page.
 *
 * ```tsx
 * const { data: session } = useSession<typeof auth>({ required: true });
 * ```
 *
 * @throws {Error} Outside of a `SessionProvider`.
 */
export function useSession<S extends SessionLike>(
  options: UseSessionOptions<true>,
): SessionContextValue<true, SessionOf<S>>;
/**
 * Returns the visitor's session with the type of `callbacks.session`; `data` is `null` if the visitor is not signed in.
 *
 * ```tsx
 * const { data: session, status } = useSession<typeof auth>();
 * ```
 *
 * @throws {Error} Outside of a `SessionProvider`.
 */
export function useSession<S extends SessionLike>(
  options?: UseSessionOptions,
): SessionContextValue<boolean, SessionOf<S>>;
export function useSession(options?: UseSessionOptions): SessionContextValue<boolean> {
  const value = useContext(SessionContext);
  if (!value) throw new Error('useSession needs a <SessionProvider>');
  useEffect(store.check);
  const isSignedOut = value.status === 'unauthenticated';
  const isUncertain = store.isUncertain();
  const isRefused = isSignedOut && !isUncertain && options?.required === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per answer, even if the function has changed
  useEffect(() => {
    if (!isRefused) return;
    if (options?.onUnauthenticated) options.onUnauthenticated();
    else location.href = signInPage();
  }, [isRefused]);
  return isRefused || (isSignedOut && isUncertain) ? contextOf(undefined) : value;
}

function signInPage(): string {
  return `${actionsAddress()}/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: location.href })}`;
}
