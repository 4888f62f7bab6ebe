import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { isWithoutChromium, launchChromium } from '../chromium.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'site/dist');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';

/** One page of each kind: the first, a tutorial, a guide with a box, long tables, a provider, a decision, an error. */
const kinds = [
  '/',
  '/start/express/',
  '/guides/link-accounts/',
  '/configuration/',
  '/providers/github/',
  '/decisions/37-whose-browser/',
  '/404.html',
];

const searches: readonly (readonly [query: string, page: string])[] = [
  ['express', '/start/express/'],
  ['rotate secret', '/guides/rotate-secrets/'],
  ['InvalidCheck', '/errors/'],
  ['session.updateAge', '/configuration/'],
  ['redis', '/adapters/'],
  ['keycloak', '/providers/keycloak/'],
  ['eight digits code mail', '/mail/'],
  ['fingerprint', '/guides/passkeys/'],
  ['nginx', '/guides/deploy-node/'],
  ['FakeProvider', '/guides/testing/'],
];

/** Starlight's settings of the search. */
const ranking = { pageLength: 0.1, termFrequency: 0.1, termSaturation: 2, termSimilarity: 9 };

/** Kilobytes of a page with its scripts and styles, compressed as a server sends them. The search loads more on use. */
const pageLimit = 150;

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

const pages = (): string[] =>
  globSync('**/*.html', { cwd: dist }).map((path) => `/${path}`.replace(/index\.html$/, ''));
const read = (path: string): string => readFileSync(fileOf(path), 'utf8');
const fileOf = (path: string): string => join(dist, path.endsWith('/') ? `${path}index.html` : path);

beforeAll(async () => {
  const sources = ['docs', 'decisions', 'site', 'CHANGELOG.md', 'SECURITY.md', 'package.json'];
  const readmes = globSync('packages/*/README.md', { cwd: root });
  await buildWhenNeeded(
    {
      sources: [...sources, ...readmes].map((path) => join(root, path)),
      without: ['node_modules', 'dist', '.astro', 'src/content/docs', 'made-of'],
      output: dist,
      others: [],
    },
    async () => {
      // Without vitest's variables, such as `DEV`, for which Astro would leave the search out.
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
      const child = spawn(process.execPath, ['scripts/docs.mjs'], { cwd: root, env, stdio: 'ignore' });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error('`npm run docs` fails: run it to see why');
    },
  );
});

describe('the built site', () => {
  it('has a page for each file of docs/, for each provider, and for each decision', () => {
    const all = new Set(pages());
    const files = globSync('**/*.md', { cwd: join(root, 'docs') });
    const expected = files.map((file) => `/${file.replace(/\.md$/, '/').replace(/(^|\/)index\/$/, '$1')}`);
    const providers = readFileSync(join(root, 'docs/providers.md'), 'utf8').match(/^## /gm) ?? [];
    expect(expected.filter((page) => !all.has(page))).toEqual([]);
    expect([...all].filter((page) => /^\/providers\/./.test(page))).toHaveLength(providers.length);
  });

  it('has no link that leads nowhere, and no anchor that does not exist', () => {
    const ids = new Map(pages().map((page) => [page, new Set(read(page).match(/(?<= id=")[^"]+/g))]));
    const broken = pages().flatMap((page) =>
      [...read(page).matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href = '']) => {
        if (/^(https?|mailto):/.test(href)) return [];
        const { pathname, hash } = new URL(href, `https://site.example${page}`);
        const anchor = decodeURIComponent(hash.slice(1));
        const isThere = existsSync(fileOf(pathname)) && (anchor === '' || ids.get(pathname)?.has(anchor) !== false);
        return isThere ? [] : [`${page}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('has no page that is larger than its limit', () => {
    const compressed = new Map<string, number>();
    const sizeOf = (path: string): number => {
      const known = compressed.get(path) ?? gzipSync(readFileSync(fileOf(path))).length;
      compressed.set(path, known);
      return known;
    };
    const large = pages().flatMap((page) => {
      const parts = read(page).match(/(?<=<script[^>]* src="|<link[^>]* rel="stylesheet"[^>]* href=")\/[^"]+/g) ?? [];
      const kilobytes = [page, ...parts].reduce((sum, path) => sum + sizeOf(path), 0) / 1000;
      return kilobytes > pageLimit ? [`${page}: ${kilobytes} kB`] : [];
    });
    expect(large).toEqual([]);
  });

  it('describes itself to language models', () => {
    expect(read('/llms.txt')).toContain('# Latchkey');
    expect(read('/llms-full.txt')).toContain('ExpressAuth');
  });
});

describe.skipIf(isWithoutChromium)('the site in a browser', () => {
  const box: { server?: Server; browser?: Browser; origin?: string } = {};
  beforeAll(async () => {
    box.server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const file = existsSync(fileOf(path)) ? fileOf(path) : fileOf('/404.html');
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      response.end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    await once(box.server, 'listening');
    box.origin = `http://127.0.0.1:${(box.server.address() as AddressInfo).port}`;
    box.browser = await launchChromium();
  });
  afterAll(async () => {
    await box.browser?.close();
    box.server?.close();
    box.server?.closeAllConnections();
  });

  async function tab(options: Parameters<Browser['newPage']>[0] = {}): Promise<{ page: Page; foreign: string[] }> {
    const page = await (box.browser as Browser).newPage(options);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(String(box.origin)) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    return { page, foreign };
  }

  it.each([
    ['light', 375],
    ['light', 1280],
    ['dark', 375],
    ['dark', 1280],
  ] as const)(
    'passes all rules of axe, and asks no other origin, in %s at a width of %i',
    async (colorScheme, width) => {
      const { page, foreign } = await tab({ colorScheme, viewport: { width, height: 800 } });
      const found: Record<string, unknown> = {};
      for (const path of kinds) {
        await page.goto(`${box.origin}${path}`);
        await page.evaluate(axe);
        found[path] = await page.evaluate(violations);
      }
      await page.close();
      expect(found).toEqual(Object.fromEntries(kinds.map((path) => [path, []])));
      expect(foreign).toEqual([]);
    },
  );

  it('finds the page for each of ten searches', async () => {
    const { page, foreign } = await tab();
    await page.goto(`${box.origin}/`);
    const found: Record<string, string[]> = {};
    for (const [query] of searches) {
      // A text, because vitest would replace `import()` in a function.
      found[query] = await page.evaluate<string[]>(`(async () => {
        const { options, search } = await import('/pagefind/pagefind.js');
        await options({ ranking: ${JSON.stringify(ranking)} });
        const { results } = await search(${JSON.stringify(query)});
        return Promise.all(results.slice(0, 5).map(async (result) => (await result.data()).url));
      })()`);
    }
    await page.close();
    const missing = searches.filter(([query, wanted]) => !found[query]?.includes(wanted));
    expect(missing.map(([query]) => [query, found[query]])).toEqual([]);
    expect(foreign).toEqual([]);
  });

  it('shows results while the reader types', async () => {
    const { page } = await tab({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${box.origin}/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('dialog input').fill('rotate secrets');
    await page.locator('dialog').getByRole('link', { name: 'Rotate secrets' }).first().waitFor();
    await page.close();
  });
});
