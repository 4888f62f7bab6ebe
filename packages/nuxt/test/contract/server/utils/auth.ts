import Passkey from '@latchkey/nuxt/providers/passkey';
import { H3Auth, type H3AuthOptions } from '@latchkey/nuxt/server';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';
import { getRequestIP } from 'h3';

const setup = bindingSetup();
const { base = '', basePath = '/auth', env = {}, secondMount, trustProxy = false } = setup;
const options: H3AuthOptions = { clientAddress: (event) => getRequestIP(event, { xForwardedFor: trustProxy }) };
const common = bindingConfig(setup);
// Passkeys need a store.
const passkeys = setup.session === 'database' ? [Passkey({ unverifiedEmail: 'allow' })] : [];
const config = {
  ...common,
  experimental: { enableWebAuthn: true },
  providers: [...common.providers, ...passkeys],
};
const at = (path: string) => H3Auth({ ...config, basePath: base + path }, env, options);

export const { handler, auth, requireSession, signIn, signOut, update } = at(basePath);
/** The second place of the actions, if the suite wants one. */
export const members = secondMount ? at(secondMount).handler : undefined;
