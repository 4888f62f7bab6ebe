import { announce } from '@latchkey/core/client';
import type { Session } from '@latchkey/core/types';
import { isServer } from './addresses.ts';
import { orNull, requestSession } from './requests.ts';
import * as store from './store.ts';
import type { SessionLike, SessionOf } from './types.ts';

/** What `getSession` takes. */
export interface GetSessionParams {
  /** On a server: those of the visitor's request, of which the cookie is sent on. */
  headers?: { cookie?: string | undefined } | undefined;
  /** `false`: other tabs are not told. Default: `true`. */
  broadcast?: boolean | undefined;
  /** Of no effect; for compatibility. */
  event?: string | undefined;
  /** Of no effect; for compatibility. */
  triggerEvent?: boolean | undefined;
}

/**
 * Asks for the session. In the browser components see the answer, too. On a server it takes the visitor's cookies: use `auth()` there,
 * which asks nobody.
 *
 * @returns `null` without a session, and where it cannot be had; the console tells.
 */
export async function getSession<S extends SessionLike = Session>(
  params: GetSessionParams = {},
): Promise<SessionOf<S> | null> {
  const { headers: { cookie } = {}, broadcast = true } = params;
  const session = await orNull(isServer ? requestSession(cookie ? { headers: { cookie } } : {}) : store.load());
  if (broadcast && !isServer) announce('getSession');
  return session as SessionOf<S> | null;
}
