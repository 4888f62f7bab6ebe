import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { start } from './contract/start.ts';

bindingSuite(
  {
    name: 'TanStack Start 1',
    start,
    features: {
      // Start has no setting for proxies: `trustHost` decides about forwarded headers.
      ignoresProxy: false,
      // Start has no parsers of bodies.
      parseBodies: false,
    },
  },
  { describe, it, afterAll },
);
