/**
 * Renders every page to `packages/core/screenshots/` and, where Chromium is installed, takes screenshots:
 * `node packages/core/test/views/preview.ts [part of a name]`
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Theme } from '../../src/types/config.ts';
import { samplePages } from './samples.ts';

const folder = process.env['PREVIEW_DIR'] ?? join(import.meta.dirname, '../../screenshots');
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><rect width="40" height="40" rx="10" fill="#7c5cff"/><text x="52" y="28" font-family="sans-serif" font-size="24" font-weight="700" fill="#7c5cff">Acme</text></svg>',
)}`;
const themes: Record<string, Theme> = {
  plain: {},
  brand: { brandColor: '#7c5cff', logo },
  pale: { brandColor: '#ffd700' },
};

const wanted = process.argv[2] ?? '';
const pages = Object.entries(themes).flatMap(([themeName, theme]) =>
  Object.entries(samplePages(theme)).map(([name, page]) => ({ name: `${name}.${themeName}`, page })),
);

mkdirSync(folder, { recursive: true });
for (const { name, page } of pages) writeFileSync(join(folder, `${name}.html`), page.html);
console.log(`${pages.length} pages in ${folder}`);

if (existsSync(chromiumPath)) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  for (const [device, width, height] of [
    ['desktop', 1100, 760],
    ['phone', 390, 844],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const view = await browser.newPage({ colorScheme, viewport: { width, height } });
      for (const { name, page } of pages.filter((entry) => entry.name.includes(wanted))) {
        await view.setContent(page.html);
        await view.screenshot({ path: join(folder, `${name}.${device}.${colorScheme}.png`), fullPage: true });
      }
      await view.close();
    }
  }
  await browser.close();
}
