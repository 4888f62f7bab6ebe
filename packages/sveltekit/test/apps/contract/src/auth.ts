import { SvelteKitAuth } from '@latchkey/sveltekit';
import { bindingConfig } from '@latchkey/testing/binding-application';

const bindings = new WeakMap();

/** Returns the binding with the setup that the server passes with each request. */
export function bindingOf({ platform: { setup } }) {
  const binding = bindings.get(setup) ?? SvelteKitAuth(bindingConfig(setup), setup.env ?? {});
  bindings.set(setup, binding);
  return binding;
}
