import { join } from 'node:path';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { buildAstro, serveAstro } from '../build.ts';

const folder = join(import.meta.dirname, '../contract');

const start = async (setup: BindingSetup) => {
  const { base, trustProxy } = setup;
  const output = await buildAstro(folder, { ...(base && { BASE: base }), ...(trustProxy && { TRUST_PROXY: 'yes' }) });
  return serveAstro(output, { BINDING_SETUP: JSON.stringify(setup) });
};

bindingSuite(
  {
    name: 'Astro 7',
    start,
    // Astro has no parsers of bodies. Its server answers a request line with an absolute address as one for `/`.
    // `security.allowedDomains` accepts no IPv6 address, and cuts off what follows an allowed host.
    features: { parseBodies: false, absoluteTarget: false, forwardedSyntax: false },
  },
  { describe, it, afterAll },
);
