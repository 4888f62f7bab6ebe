import type { DefaultSession, Session } from '@latchkey/core/types';
import type { Ref } from 'vue';
import { useRequestEvent, useRouter, useRuntimeConfig, useState } from '#imports';
import type { PageAuth } from '../nitro/plugin.ts';

declare module 'nuxt/app' {
  interface PageMeta {
    /** `required`: only visitors with a session see the page. Others are sent to the sign-in page. */
    auth?: 'required';
  }
}

/** Returns the session of this application's state; `undefined` if it is not known. */
export function useSession<S extends DefaultSession = Session>(): Ref<S | null | undefined> {
  return useState<S | null>('latchkey');
}

/** Returns a function that names the sign-in page, which leads back to a page of the application. */
export function useSignInPage(): (path: string) => string {
  const router = useRouter();
  const { basePath } = useRuntimeConfig().public.latchkey;
  return (path) => `${basePath}/signin?${new URLSearchParams({ callbackUrl: router.resolve(path).href })}`;
}

/** Returns what the plugin for Nitro knows of the request. Only on the server. */
export function usePageAuth(): PageAuth {
  return useRequestEvent()?.context['latchkey'] as PageAuth;
}
