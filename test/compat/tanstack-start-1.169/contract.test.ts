import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { features, start } from '../../../packages/tanstack-start/test/contract/start.ts';
import { clientBrowser } from '../../chromium.ts';

bindingSuite(
  {
    name: 'TanStack Start 1.169.0',
    start: (setup) => start(setup, import.meta.dirname),
    launchBrowser: clientBrowser,
    features,
  },
  { describe, it, afterAll },
);
