import { AstroAuth, type AstroAuthResult } from '@latchkey/astro';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';

const setup = bindingSetup();

/** `basePath` is the whole path, with Astro's option `base`. */
const at = (path: string): AstroAuthResult =>
  AstroAuth({ ...bindingConfig(setup), basePath: (setup.base ?? '') + path }, setup.env ?? {});

export const { handler, middleware, auth, requireSession, signIn, signOut, update } = at(setup.basePath ?? '/auth');

/** The same configuration at a second place. */
export const members = setup.secondMount ? at(setup.secondMount) : undefined;
