import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { clientBrowser } from '../../../test/chromium.ts';
import { app, buildApp, serve } from './contract/start.ts';

const building = { file: '' };
beforeAll(async () => {
  building.file = await buildApp(app);
});

bindingSuite(
  {
    name: 'React Router 8',
    start: (setup) => serve(building.file, setup),
    launchBrowser: clientBrowser,
    features: {
      // React Router's adapter for Node.js answers 500 to such a request line.
      absoluteTarget: false,
      // React Router has no parsers of bodies that run before loaders and actions.
      parseBodies: false,
      // It has no setting for proxies: `trustHost` decides about forwarded headers.
      ignoresProxy: false,
      refusesHosts: false,
    },
  },
  { describe, it, afterAll },
);
