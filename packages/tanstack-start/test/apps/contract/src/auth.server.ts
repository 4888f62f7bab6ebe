import { TanStackAuth } from '@latchkey/tanstack-start';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';
import { getRequestIP } from '@tanstack/react-start/server';

const { base = '', basePath = '/auth', env = {}, secondMount, trustProxy = false, ...setup } = bindingSetup();
const at = (path: string) =>
  TanStackAuth({ ...bindingConfig(setup), basePath: base + path }, env, {
    clientAddress: () => getRequestIP({ xForwardedFor: trustProxy }),
  });

export const { handler, auth, requireSession, signIn, signOut, update } = at(basePath);
/** The second place of the actions, if the suite wants one. */
export const secondHandler: typeof handler = secondMount ? at(secondMount).handler : async ({ next }) => next();
