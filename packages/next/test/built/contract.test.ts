import { fileURLToPath } from 'node:url';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../../test/chromium.ts';
import { contractFeatures, serveContract, testingPackage } from './contract-application.ts';
import { build, latchkey } from './next-application.ts';

const application = {
  folder: fileURLToPath(new URL('../apps/contract', import.meta.url)),
  next: fileURLToPath(new URL('../../../../node_modules/next', import.meta.url)),
};

beforeAll(() => build(application, { from: [application.folder, ...latchkey, testingPackage] }));
bindingSuite(
  {
    name: 'Next.js 16',
    start: (setup) => serveContract(application, setup),
    launchBrowser: clientBrowser,
    basePath: '/api/auth',
    features: contractFeatures,
  },
  { describe, it, afterAll },
);
