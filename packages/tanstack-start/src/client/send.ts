import { announce, askFor, type ClientBinding, leaveFor, post } from '@latchkey/core/client';

/** Where the actions are. */
export interface ActionsPath {
  /** Path of the actions, from the root of the site. Default: `/auth`. */
  basePath?: string | undefined;
}

/** The functions that load the data of the page again, see `watchSession`. */
export const watching: Set<() => unknown> = new Set();

/**
 * Returns how forms are sent to the actions, with the CSRF token. Afterwards the browser leaves the page. With
 * `redirect: false`, the result comes when the loaders have seen the new session.
 *
 * @param address Path of the actions.
 */
export function actionsAt(address = '/auth'): ClientBinding {
  return {
    address,
    async send(action, fields, { redirect, trigger }) {
      const { csrfToken } = (await askFor(`${address}/csrf`)) as { csrfToken: string };
      const { result, target } = await post(action, { ...fields, csrfToken });
      if (result.ok) announce(trigger);
      if (redirect) leaveFor(target);
      else if (result.ok) await Promise.all([...watching].map((look) => look()));
      return redirect ? undefined : result;
    },
  };
}
