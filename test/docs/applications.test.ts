import { join } from 'node:path';
import type { Browser, Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { build, configOfTest, type Served, serve } from '../../packages/next/test/built/next-application.ts';
import { type Kit, startKit } from '../../packages/sveltekit/test/kit/server.ts';
import { projectOf, settings, visitorOf } from './page.ts';

const root = join(import.meta.dirname, '../..');
const toPage = { until: 'page' } as const;

describe('the tutorial docs/start/nextjs.md', () => {
  const running: { served?: Served } = {};
  beforeAll(async () => {
    const layout = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`;
    const folder = projectOf('start/nextjs.md', {
      'app/layout.tsx': layout,
      // As `create-next-app` sets it.
      'next.config.mjs': configOfTest.replace('{', '{\n  cacheComponents: true,'),
      'package.json': '{ "private": true, "type": "module" }',
    });
    const next = join(root, 'node_modules/next');
    await build({ folder, next });
    const github = join(import.meta.dirname, 'github.mjs');
    running.served = await serve(
      { folder, next },
      { ...settings, NODE_ENV: 'production', AUTH_TRUST_HOST: 'true', NODE_OPTIONS: `--import=${github}` },
    );
  });
  afterAll(() => running.served?.stop());
  const visitor = () => visitorOf(`http://127.0.0.1:${running.served?.port}`);

  signsIn(visitor, { signInPage: '/api/auth/signin', account: 'ada@example.com' });
});

describe('the tutorial docs/start/sveltekit.md', () => {
  const running: { kit?: Kit } = {};
  beforeAll(async () => {
    // This process answers for GitHub.
    await import('./github.mjs');
    // The files that `sv create` writes.
    const folder = projectOf('start/sveltekit.md', {
      'package.json': '{ "private": true, "type": "module" }',
      'tsconfig.json': '{ "extends": "$app/tsconfig", "include": ["src"] }',
      'vite.config.ts':
        "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit({})] };\n",
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    });
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    running.kit = await startKit(folder, settings);
  });
  afterAll(() => void vi.unstubAllEnvs());
  const visitor = () => visitorOf('http://localhost:3000', (request) => (running.kit as Kit).respond(asPage(request)));

  signsIn(visitor, { signInPage: '/auth/signin', account: 'This is the account of ada@example.com.' });
});

describe('the guide docs/guides/remote-functions.md', () => {
  it('builds, refuses a visitor without a session, and shows signed-in visitors their own orders', async () => {
    await import('./github.mjs');
    const folder = projectOf('guides/remote-functions.md', {
      'package.json': '{ "private": true, "type": "module" }',
      'tsconfig.json': '{ "extends": "$app/tsconfig", "include": ["src"] }',
      'vite.config.ts':
        "import { sveltekit } from '@sveltejs/kit/vite';\n" +
        'export default { plugins: [sveltekit({ experimental: { remoteFunctions: true } })] };\n',
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/data/+page.server.ts':
        "import { openFunctions } from '../../lib/server/open-functions.ts';\n" +
        "import { mine } from '../orders/orders.remote.ts';\n" +
        'export const load = async () => ({ text: JSON.stringify({ mine: await mine(), openFunctions }) });\n',
      'src/routes/data/+page.svelte': '<script>let { data } = $props();</script><p>{data.text}</p>\n',
    });
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const kit = await startKit(folder, settings);
    const browser = visitorOf('http://localhost:3000', (request) => kit.respond(asPage(request)));
    expect((await browser.get('/data')).status).toBe(401);
    const signInPage = await browser.get('/auth/signin?callbackUrl=/data');
    const page = await browser.follow(await browser.submit(browser.form(signInPage, 'signin/github')), toPage);
    expect(page.text()).toContain('{"mine":[{"owner":"ada@example.com","text":"A lamp"}],"openFunctions":[]}');
  });
});

/** Tests the pages and the API of a tutorial, without a session and after a sign-in. */
function signsIn(visitor: () => Browser, { signInPage, account }: { signInPage: string; account: string }): void {
  it('shows what the page says to a visitor without a session', async () => {
    const browser = visitor();
    expect((await browser.get('/')).text()).toContain('You are not signed in.');
    expect(new URL(redirectOf(await browser.get('/account'))).pathname).toBe(signInPage);
    expect((await browser.get('/api/me')).status).toBe(401);
  });

  it('signs in with GitHub, returns to the page, and answers the API', async () => {
    const browser = visitor();
    const page = await browser.get(redirectOf(await browser.get('/account')));
    const back = await browser.follow(await browser.submit(browser.form(page, 'signin/github')), toPage);
    expect(new URL(back.url).pathname).toBe('/account');
    expect(back.text()).toContain(account);
    expect((await browser.get('/api/me')).json()).toMatchObject({ name: 'Ada Lovelace' });
  });
}

/** Returns where a browser goes next. Next.js redirects in the page if it has sent a placeholder before. */
function redirectOf(page: Page): string {
  const inPage = /http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(page.text())?.[1];
  return new URL(page.location ?? inPage?.replaceAll('&amp;', '&') ?? '', page.url).href;
}

/** Adds the headers of a browser that opens a page. */
function asPage(request: Request): Request {
  request.headers.set('host', new URL(request.url).host);
  if (!request.headers.has('accept')) request.headers.set('accept', 'text/html');
  return request;
}
