import { AstroAuth } from '@latchkey/astro';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';

const setup = bindingSetup();

export const { handler, middleware, requireSession, signIn, signOut } = AstroAuth(bindingConfig(setup), {});
