import { announce, askFor, type ClientBinding, clientBinding } from '@latchkey/core/client';

/** The state of this page, in the browser only. */
export const page: {
  /** Requests the session again if it has changed. */
  look(): unknown;
  /** Whether the browser is about to leave the page. Until then, the page shows the old session. */
  isLeaving: boolean;
} = { look() {}, isLeaving: false };

/** Returns how forms are sent to the actions. With `redirect: false`, the page has the session before the result. */
export function actionsAt(basePath: string | undefined): ClientBinding {
  const { address, send } = clientBinding(basePath, () => page.look());
  return {
    address,
    async send(action, fields, outcome) {
      page.isLeaving = outcome.redirect;
      try {
        return await send(action, fields, outcome);
      } catch (error) {
        page.isLeaving = false;
        throw error;
      }
    },
  };
}

/** Passes data to the callbacks of the application, and returns the new session. */
export async function updateAt(address: string, data: unknown): Promise<unknown> {
  const body = JSON.stringify({ ...(await csrfToken(address)), data });
  const headers = { 'content-type': 'application/json' };
  const session = await askFor(`${address}/session`, { method: 'POST', headers, body });
  announce('getSession');
  await page.look();
  return session;
}

async function csrfToken(address: string): Promise<{ csrfToken: string }> {
  return (await askFor(`${address}/csrf`)) as { csrfToken: string };
}
