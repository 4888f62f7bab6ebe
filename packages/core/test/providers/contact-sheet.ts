/**
 * Renders the buttons of all providers, light and dark, to `packages/core/screenshots/` and, where Chromium is
 * installed, takes screenshots: `node packages/core/test/providers/contact-sheet.ts`
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OAuthProviderButtonStyles } from '../../src/providers/oauth.ts';
import type { OAuthEntry } from '../../src/views/sign-in/layout.ts';
import { signIn } from '../views/samples.ts';
import { subjects } from './providers.ts';

const folder = process.env['PREVIEW_DIR'] ?? join(import.meta.dirname, '../../screenshots');
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const providers = (await subjects()).map(({ factory }): OAuthEntry => {
  const { id, name, type, style } = factory({});
  const signinUrl = `https://app.example/auth/signin/${id}`;
  return { id, name, type: type as OAuthEntry['type'], signinUrl, ...(style as OAuthProviderButtonStyles) };
});
// The few are shown as wide buttons, the many as a grid.
const pages = {
  'all-buttons': signIn({ providers }),
  'some-buttons': signIn({ providers: providers.slice(0, 6) }),
};

mkdirSync(folder, { recursive: true });
for (const [name, page] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), page.html);
console.log(`${providers.length} buttons in ${folder}`);

if (existsSync(chromiumPath)) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const view = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 700 }, deviceScaleFactor: 2 });
    for (const [name, page] of Object.entries(pages)) {
      await view.setContent(page.html);
      await view.screenshot({ path: join(folder, `${name}.${colorScheme}.png`), fullPage: true });
    }
    await view.close();
  }
  await browser.close();
}
