import type { BindingSetup } from '@latchkey/testing/binding-application';
import type { BindingSubject } from '@latchkey/testing/binding-suite';
import { buildAstro, serveAstro } from './build.ts';

/** Returns a function that starts the application of the suite in a folder, with the Astro that the folder resolves. */
export function contractStart(folder: string): BindingSubject['start'] {
  return async (setup: BindingSetup) => {
    const { base, trustProxy } = setup;
    const output = await buildAstro(folder, { ...(base && { BASE: base }), ...(trustProxy && { TRUST_PROXY: 'yes' }) });
    return serveAstro(output, { BINDING_SETUP: JSON.stringify(setup) });
  };
}

/** The features that Astro lacks. */
export const contractFeatures: NonNullable<BindingSubject['features']> = {
  // Astro loads each page as a document.
  clientRouter: false,
  // It has no parsers of bodies.
  parseBodies: false,
  // Its server answers a request line with an absolute address as one for `/`.
  absoluteTarget: false,
  // `security.allowedDomains` accepts no IPv6 address, and cuts off what follows an allowed host.
  forwardedSyntax: false,
  refusesHosts: false,
};
