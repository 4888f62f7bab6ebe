import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractStart } from '../../../packages/astro/test/contract-start.ts';
import { clientBrowser } from '../../chromium.ts';

const sources = join(import.meta.dirname, '../../../packages/astro/test/contract');
const folder = join(import.meta.dirname, 'application');

// A copy beside Astro 6 resolves that version. The output of the last build stays.
beforeAll(() => {
  rmSync(join(folder, 'src'), { recursive: true, force: true });
  for (const name of ['astro.config.mjs', 'package.json', 'src'])
    cpSync(join(sources, name), join(folder, name), { recursive: true });
});

bindingSuite(
  {
    name: 'Astro 6',
    start: contractStart(folder),
    launchBrowser: clientBrowser,
    // As with Astro 7.
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
