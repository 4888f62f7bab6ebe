import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../../test/chromium.ts';
import { contractStart } from '../contract-start.ts';

bindingSuite(
  {
    name: 'Astro 7',
    start: contractStart(join(import.meta.dirname, '../contract')),
    launchBrowser: clientBrowser,
    // Astro loads each page as a document. It has no parsers of bodies.
    // Its server answers a request line with an absolute address as one for `/`.
    // `security.allowedDomains` accepts no IPv6 address, and cuts off what follows an allowed host.
    features: {
      clientRouter: false,
      parseBodies: false,
      absoluteTarget: false,
      forwardedSyntax: false,
      refusesHosts: false,
    },
  },
  { describe, it, afterAll },
);
