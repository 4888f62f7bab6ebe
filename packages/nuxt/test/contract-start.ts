import type { BindingSetup } from '@latchkey/testing/binding-application';
import type { BindingSubject } from '@latchkey/testing/binding-suite';
import { buildNuxt, serveNuxt } from './build.ts';

/**
 * Returns a function that starts the application of the suite.
 *
 * @param folder The application.
 * @param compat The folder in which Nuxt is installed. Default: Nuxt 4.
 */
export function contractStart(folder: string, compat?: string): BindingSubject['start'] {
  return async (setup: BindingSetup) => {
    const output = await buildNuxt(folder, compat);
    const { base = '', basePath = '/auth' } = setup;
    return serveNuxt(output, {
      BINDING_SETUP: JSON.stringify(setup),
      NUXT_APP_BASE_URL: `${base}/`,
      NUXT_PUBLIC_LATCHKEY_BASE_PATH: base + basePath,
    });
  };
}

/** The features that Nuxt lacks: `trustHost` decides about forwarded headers. */
export const contractFeatures: NonNullable<BindingSubject['features']> = { ignoresProxy: false, refusesHosts: false };
