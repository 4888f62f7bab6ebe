import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { testSignIn } from '../../../shared/test/sign-in-tests.ts';
import { expectReadable, isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('signing in to the SvelteKit demo', () => {
  const app = demoInBrowser('sveltekit');
  testSignIn(app, '400 (Bad Request)');

  it('offers passkeys only after hydration, because the browser must not submit their forms itself', async () => {
    const page = await app.open('/sign-in', { javaScriptEnabled: false });
    for (const name of ['Sign in with a passkey', 'Create a passkey']) {
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
  });

  it('is accessible', async () => {
    const page = await app.open('/sign-in', { bypassCSP: true });
    await expectReadable(page);
  });
});
