import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../../test/chromium.ts';
import { contractFeatures, contractStart } from '../contract-start.ts';

bindingSuite(
  {
    name: 'Astro 7',
    start: contractStart(join(import.meta.dirname, '../contract')),
    launchBrowser: clientBrowser,
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
