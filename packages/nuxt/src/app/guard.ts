import { defineNuxtRouteMiddleware, navigateTo, onNuxtReady, useError, useNuxtApp } from '#imports';
import { usePageAuth, useSession, useSignInPage } from './session.ts';

/** A middleware of Nuxt's router. */
export type PageGuard = (to: { readonly meta: { readonly auth?: unknown }; readonly fullPath: string }) => unknown;

/** The guard of pages with the meta `auth: 'required'`. It does not protect data: API routes have their own guard. */
export default defineNuxtRouteMiddleware(async ({ meta, fullPath }) => {
  if (meta.auth !== 'required') return;
  const app = useNuxtApp();
  if (import.meta.server) {
    // The page of an error is rendered with the path of the page that has failed.
    if (useError().value) return;
    const address = await usePageAuth().guard();
    return address === undefined ? undefined : app.runWithContext(() => navigateTo(address, { external: true }));
  }
  const session = useSession();
  const signInPage = useSignInPage();
  const { isHydrating, payload, $latchkey } = app;
  if (isHydrating && payload.serverRendered) {
    // The server has rendered the page for all visitors. Without a session, the client plugin leaves it.
    if (session.value === undefined) onNuxtReady(() => $latchkey.refresh().catch(() => undefined));
    return;
  }
  if (!session.value) await $latchkey.refresh();
  if (!session.value) return app.runWithContext(() => navigateTo(signInPage(fullPath), { external: true }));
}) as PageGuard;
