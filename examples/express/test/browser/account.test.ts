import { describe } from 'vitest';
import { testAccount } from '../../../shared/test/account-tests.ts';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the account in the Express demo', () => {
  testAccount(demoInBrowser('express'), { signIn: '/auth/signin?callbackUrl=/', actions: '/auth' });
});
