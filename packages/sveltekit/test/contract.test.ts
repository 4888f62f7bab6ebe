import { fileURLToPath } from 'node:url';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../test/chromium.ts';
import { contractFeatures, serveContract } from './contract/serve.ts';
import { buildKit } from './kit/build.ts';

const app = fileURLToPath(new URL('apps/contract', import.meta.url));

beforeAll(() => buildKit(app));
bindingSuite(
  {
    name: 'SvelteKit 3',
    start: (setup) => serveContract(app, setup),
    launchBrowser: clientBrowser,
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
