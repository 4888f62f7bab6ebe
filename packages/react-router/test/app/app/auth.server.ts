import { ReactRouterAuth } from '@latchkey/react-router';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';

const setup = bindingSetup();
const { base = '', basePath = '/auth', env = {}, secondMount } = setup;

const at = (path: string) =>
  ReactRouterAuth({ ...bindingConfig(setup), basePath: base + path }, env, {
    // The server sets this header.
    clientAddress: ({ request }) => request.headers.get('x-client-address') ?? undefined,
  });

export const { handler, sessionMiddleware, auth, required, requireSession, signIn, signOut, update } = at(basePath);

/** The second mount of the same configuration, if the suite asks for one. */
export const second = secondMount ? at(secondMount) : undefined;
