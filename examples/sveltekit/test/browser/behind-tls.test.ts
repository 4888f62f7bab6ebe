import { describe } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { testBehindTls } from '../../../shared/test/sign-in-tests.ts';
import { isWithoutProxy } from '../../../shared/test/tls-proxy.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser || isWithoutProxy)('the SvelteKit demo behind a reverse proxy with TLS', () => {
  testBehindTls(demoInBrowser('sveltekit', { tls: true }));
});
