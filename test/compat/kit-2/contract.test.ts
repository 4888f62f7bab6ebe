import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractFeatures, serveContract } from '../../../packages/sveltekit/test/contract/serve.ts';
import { buildKit } from '../../../packages/sveltekit/test/kit/build.ts';
import { clientBrowser } from '../../chromium.ts';
import { ruled } from './twins.ts';

let app = '';

beforeAll(async () => {
  app = ruled();
  await buildKit(app);
});
bindingSuite(
  {
    name: 'SvelteKit 2',
    start: (setup) => serveContract(app, setup),
    launchBrowser: clientBrowser,
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
