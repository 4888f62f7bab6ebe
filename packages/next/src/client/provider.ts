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
import { __NEXTAUTH, actionsAddress, isServer } from './addresses.ts';
import { orNull } from './requests.ts';
import * as store from './store.ts';
import type { SessionLike, SessionOf } from './types.ts';

/** Hands data to the application's callbacks with the trigger `update`; without data the session is only asked for. */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null | undefined>;

/**
 * What `useSession` tells. `data` is the session, `null` when nobody is signed in, and while that is not known `undefined`, which the
 * family's types call `null`. With `required` nobody is never said: the visitor is on the way to the sign-in page.
 */
export type SessionContextValue<Required extends boolean = false, S = Session> =
  | { update: UpdateSession<S>; data: S; status: 'authenticated' }
  | { update: UpdateSession<S>; data: null; status: Required extends true ? 'loading' : 'unauthenticated' | 'loading' };

/** What `useSession` takes. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Nobody but those signed in are to see the component. Default: `false`. */
  required: Required;
  /** What happens to others. Default: they go to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined;
}

/** What `SessionProvider` takes. */
export interface SessionProviderProps {
  children?: ReactNode;
  /** The session as the server has rendered the page, `null` without one. Without it, or with `undefined`, it is asked for. */
  session?: Session | null | undefined;
  /** Of no effect; for compatibility. */
  baseUrl?: string | undefined;
  /** Path of the actions, from the root of the site. Default: `/api/auth` below the application's own base path. */
  basePath?: string | undefined;
  /** Seconds after which a session is asked for again. Default: 0, never. */
  refetchInterval?: number | undefined;
  /** Ask again when the visitor comes back to the tab and the last answer is a minute old. Default: `true`. */
  refetchOnWindowFocus?: boolean | undefined;
  /** Whether `refetchInterval` goes on without a network. Default: `true`. */
  refetchWhenOffline?: false | undefined;
}

/** For tests and for class components; `useSession` reads it. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<SessionContextValue | undefined>(
  undefined,
);

const useBeforePaint = isServer ? useEffect : useLayoutEffect;

/** Lets the components inside use the session. */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const { children, session, basePath, refetchInterval, refetchWhenOffline, refetchOnWindowFocus } = props;
  if (basePath) __NEXTAUTH.basePath = basePath;
  // On a server, and until the page has come alive, the session is what has been rendered.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is news even where it is the same
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
 * The session of the visitor: `useSession()`, or with the type that `callbacks.session` gives it `useSession<typeof auth>()`.
 *
 * @throws {Error} outside of a `SessionProvider`.
 */
export function useSession<Required extends boolean>(
  options?: UseSessionOptions<Required>,
): SessionContextValue<Required>;
export function useSession<S extends SessionLike>(
  options: UseSessionOptions<true>,
): SessionContextValue<true, SessionOf<S>>;
export function useSession<S extends SessionLike>(
  options?: UseSessionOptions,
): SessionContextValue<boolean, SessionOf<S>>;
export function useSession(options?: UseSessionOptions): SessionContextValue<boolean> {
  const value = useContext(SessionContext);
  if (!value) throw new Error('useSession needs a <SessionProvider>');
  useEffect(store.check);
  const isNobody = value.status === 'unauthenticated';
  const isUncertain = store.isUncertain();
  const isRefused = isNobody && !isUncertain && options?.required === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per answer, whatever the function is by then
  useEffect(() => {
    if (!isRefused) return;
    if (options?.onUnauthenticated) options.onUnauthenticated();
    else location.href = signInPage();
  }, [isRefused]);
  return isRefused || (isNobody && isUncertain) ? contextOf(undefined) : value;
}

function signInPage(): string {
  return `${actionsAddress()}/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: location.href })}`;
}
