import { askFor, leaveFor, listen, readRevision } from '@latchkey/core/client';
import type { Session } from '@latchkey/core/types';
import { defineNuxtPlugin, useRouter, useRuntimeConfig, watch } from '#imports';
import { page } from '../client/send.ts';
import { useSession, useSignInPage } from './session.ts';

/** The member `$latchkey` of the application of Nuxt. */
export interface SessionRefresh {
  /** Requests the session. Requests at the same time are one. */
  refresh(): Promise<void>;
}

/** Keeps the session of the page up to date: after calls of this page, and after changes in other tabs. */
export default defineNuxtPlugin(() => {
  const session = useSession();
  const signInPage = useSignInPage();
  const { currentRoute } = useRouter();
  const address = `${useRuntimeConfig().public.latchkey.basePath}/session`;
  let known = readRevision();
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    let answer: Session | null;
    do {
      known = readRevision();
      answer = (await askFor(address)) as Session | null;
    } while (known !== readRevision());
    session.value = answer;
  }
  async function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }
  page.look = async () => {
    if (session.value === undefined || page.isLeaving || known === readRevision()) return;
    // Without a network, the page keeps the session that it shows.
    await refresh().catch(() => undefined);
  };
  const wake = (): void => {
    page.isLeaving = false;
    void page.look();
  };
  listen(
    () => void page.look(),
    wake,
    () => page.look(),
  );
  watch(session, () => {
    const { meta, fullPath } = currentRoute.value;
    if (session.value === null && meta.auth === 'required') leaveFor(signInPage(fullPath));
  });
  return { provide: { latchkey: { refresh } } };
}) as () => { provide: { latchkey: SessionRefresh } };
