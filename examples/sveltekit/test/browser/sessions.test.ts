import { describe } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { testSessions } from '../../../shared/test/sessions-tests.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the list of devices of the SvelteKit demo', () => {
  testSessions(demoInBrowser('sveltekit'));
});
