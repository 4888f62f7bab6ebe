import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractFeatures, contractStart } from '../../../packages/nuxt/test/contract-start.ts';
import { clientBrowser } from '../../chromium.ts';

const sources = join(import.meta.dirname, '../../../packages/nuxt/test/contract');
const folder = join(import.meta.dirname, 'application');

// Nuxt 3 expects the pages in the root of the application. The output of the last build stays.
beforeAll(() => {
  for (const part of ['pages', 'server']) rmSync(join(folder, part), { recursive: true, force: true });
  for (const part of ['nuxt.config.ts', 'package.json', 'server', 'app/pages'])
    cpSync(join(sources, part), join(folder, part.replace('app/', '')), { recursive: true });
});

bindingSuite(
  {
    name: 'Nuxt 3.18',
    start: contractStart(folder, import.meta.dirname),
    launchBrowser: clientBrowser,
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
