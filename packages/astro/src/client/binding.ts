import { announce, askFor, type ClientBinding, leaveFor, post } from '@latchkey/core/client';

/** Returns the functions that send a form, with its CSRF token, to the actions at a path. */
export function clientBinding(basePath = '/auth'): ClientBinding {
  return {
    address: basePath,
    async send(address, fields, { redirect, trigger }) {
      const { csrfToken } = (await askFor(`${basePath}/csrf`)) as { csrfToken: string };
      const { result, target } = await post(address, { ...fields, csrfToken });
      if (result.ok) announce(trigger);
      if (redirect) leaveFor(target);
      return redirect ? undefined : result;
    },
  };
}
