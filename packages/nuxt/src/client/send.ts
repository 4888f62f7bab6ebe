import { announce, askFor, type ClientBinding, leaveFor, post } from '@latchkey/core/client';

/** Where the actions are. */
export interface ActionsPath {
  /** Path of the actions, from the root of the site. Default: `/auth`. */
  basePath?: string | undefined;
}

/** The state of this page, in the browser only. */
export const page: {
  /** Requests the session again if it has changed. */
  look(): unknown;
  /** Whether the browser is about to leave the page. Until then, the page shows the old session. */
  isLeaving: boolean;
} = { look() {}, isLeaving: false };

/** Returns how forms are sent to the actions at a path, with the CSRF token. */
export function actionsAt(address = '/auth'): ClientBinding {
  return {
    address,
    async send(action, fields, { redirect, trigger }) {
      page.isLeaving = redirect;
      try {
        const { result, target } = await post(action, { ...fields, csrfToken: await csrfToken(address) });
        if (result.ok) announce(trigger);
        if (redirect) leaveFor(target);
        else if (result.ok) await page.look();
        return redirect ? undefined : result;
      } catch (error) {
        page.isLeaving = false;
        throw error;
      }
    },
  };
}

/** Passes data to the callbacks of the application, and returns the new session. */
export async function updateAt(address: string, data: unknown): Promise<unknown> {
  const body = JSON.stringify({ csrfToken: await csrfToken(address), data });
  const headers = { 'content-type': 'application/json' };
  const session = await askFor(`${address}/session`, { method: 'POST', headers, body });
  announce('getSession');
  await page.look();
  return session;
}

async function csrfToken(address: string): Promise<string> {
  return ((await askFor(`${address}/csrf`)) as { csrfToken: string }).csrfToken;
}
