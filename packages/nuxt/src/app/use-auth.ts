import type { SignInAuthorizationParams, SignInResponse } from '@latchkey/core/client';
import type { DefaultSession, Session } from '@latchkey/core/types';
import type { ComputedRef } from 'vue';
import { computed, getCurrentInstance, onNuxtReady, onServerPrefetch, useNuxtApp, useRuntimeConfig } from '#imports';
import { updateAt } from '../client/send.ts';
import { type SignInOptions, type SignOutOptions, signIn, signOut } from '../client.ts';
import { usePageAuth, useSession } from './session.ts';

/** Whether the visitor is signed in, as far as the page knows. */
export type SessionStatus = 'authenticated' | 'loading' | 'unauthenticated';

/** The result of {@link useAuth}. `S` is the session of the application. */
export interface UseAuth<S extends DefaultSession = Session> {
  /**
   * The session; `null` without one. It is `undefined` until the browser has asked. This is the case on routes with
   * `prerender`, `isr` or `swr`, and without server-side rendering.
   */
  readonly session: ComputedRef<S | null | undefined>;
  /** `loading` while the session is `undefined`. */
  readonly status: ComputedRef<SessionStatus>;
  /** Starts a sign-in in the browser, as `signIn` of `@latchkey/nuxt/client` does. */
  signIn(
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse | undefined>;
  /** Ends the session in all tabs, as `signOut` of `@latchkey/nuxt/client` does. */
  signOut(options?: SignOutOptions): Promise<SignInResponse | undefined>;
  /**
   * Passes data to the application's callbacks with the trigger `update`.
   *
   * @returns The new session; `null` without one.
   * @throws {ClientFetchError} If the server cannot be reached or refuses.
   */
  update(data: unknown): Promise<S | null>;
}

/**
 * Returns the session of the visitor, and the functions that change it. Nuxt imports it automatically.
 *
 * ```vue
 * <script setup>
 * const { session, signOut } = await useAuth();
 * </script>
 *
 * <template>
 *   <button v-if="session" @click="signOut()">Sign out {{ session.user?.name }}</button>
 * </template>
 * ```
 *
 * The server reads the session before it renders the component. Without `await`, it is not present yet in `setup`.
 *
 * @returns The functions. It is a promise, too, which waits for the session. The browser does not wait while it
 *   hydrates a page that the server has rendered without a session.
 */
export function useAuth<S extends DefaultSession = Session>(): UseAuth<S> & Promise<UseAuth<S>> {
  const { basePath } = useRuntimeConfig().public.latchkey;
  const session = useSession<S>();
  const result: UseAuth<S> = {
    session: computed(() => session.value),
    status: computed(() => {
      if (session.value === undefined) return 'loading';
      return session.value ? 'authenticated' : 'unauthenticated';
    }),
    signIn: (provider, options, params) => signIn(provider, { basePath, ...options }, params),
    signOut: (options) => signOut({ basePath, ...options }),
    update: async (data) => (await updateAt(basePath, data)) as S | null,
  };
  const loaded = loadSession();
  if (import.meta.server && getCurrentInstance()) onServerPrefetch(() => loaded);
  const ready = loaded.then(() => result);
  // A component that does not await it receives the error by `onServerPrefetch`.
  ready.catch(() => undefined);
  return Object.assign(ready, result);
}

/** Reads the session if it is not known. */
async function loadSession(): Promise<void> {
  const session = useSession();
  if (session.value !== undefined) return;
  if (import.meta.server) {
    session.value = await usePageAuth().session();
    return;
  }
  const { isHydrating, payload, $latchkey } = useNuxtApp();
  // Without a network, the session stays unknown.
  if (isHydrating && payload.serverRendered) onNuxtReady(() => $latchkey.refresh().catch(() => undefined));
  else await $latchkey.refresh();
}
