import { AstroAuth } from '@latchkey/astro';
import Passkey from '@latchkey/astro/providers/passkey';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';

const setup = bindingSetup();
const config = bindingConfig(setup);

export const { handler, middleware, requireSession, signIn, signOut } = AstroAuth(
  setup.session === 'database'
    ? {
        ...config,
        experimental: { enableWebAuthn: true },
        providers: [...config.providers, Passkey({ unverifiedEmail: 'allow' })],
      }
    : config,
  {},
);
