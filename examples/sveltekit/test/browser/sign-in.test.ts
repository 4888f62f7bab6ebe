import { describe } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { testSignIn } from '../../../shared/test/sign-in-tests.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('signing in to the SvelteKit demo', () => {
  testSignIn(demoInBrowser('sveltekit'), '400 (Bad Request)');
});
