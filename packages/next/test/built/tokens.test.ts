import { fileURLToPath } from 'node:url';
import type { AuthConfig } from '@latchkey/core/types';
import { application, type Browser } from '@latchkey/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { secret } from '../site.ts';
import { build, type Served, serve } from './next-application.ts';
import { browse, shown } from './visit.ts';

const folder = {
  folder: fileURLToPath(new URL('../apps/tokens', import.meta.url)),
  next: fileURLToPath(new URL('../../../../node_modules/next', import.meta.url)),
};
const box: { served?: Served } = {};
const served = (): Served => box.served as Served;

beforeAll(async () => {
  await build(folder);
  box.served = await serve(folder, { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' });
});
afterAll(() => box.served?.stop());

/** A visitor whose access token expires after a second. The sign-in happens in this process, with the same secret. */
async function signedIn(name: string): Promise<Browser> {
  const app = application({
    config: ({ provider }) => ({
      secret,
      session: { strategy: 'jwt' },
      tokens: { store: 'cookie' },
      providers: [
        {
          ...provider.provider(),
          clientId: 'client',
          account: () => ({
            access_token: 'access 0',
            refresh_token: `${name} 0`,
            expires_at: Math.floor(Date.now() / 1000) + 1,
          }),
        },
      ] as AuthConfig['providers'],
    }),
  });
  await app.signIn();
  const browser = browse(served());
  for (const cookie of app.browser.cookies.all()) browser.cookies.set(cookie.name, cookie.value);
  await expired();
  return browser;
}

/** The application's tokens of the visitor `refresh` live for three seconds, and those of each sign-in for one. */
const expired = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3100));

function refreshes(name: string): number {
  return served().log().split(`refresh with ${name} `).length - 1;
}

it('a layout, a page and an action in one render get the tokens of one refresh', async () => {
  const browser = await signedIn('refresh');
  const before = browser.cookies.get('authjs.tokens')?.value;
  const page = await browser.get('/');
  expect([shown(page, 'layout'), shown(page, 'page')]).toEqual(['access 1', 'access 1']);
  expect(refreshes('refresh')).toBe(1);
  expect(browser.cookies.get('authjs.tokens')?.value).not.toBe(before);
  expect(page.headers.get('cache-control')).toMatch(/private|no-store/);
  const form = browser.form(page, ({ id }) => id === 'look');
  await expired();
  const acted = await browser.submit(form);
  expect(['layout', 'page', 'seen'].map((id) => shown(acted, id))).toEqual(['access 2', 'access 2', 'access 2']);
  expect(refreshes('refresh')).toBe(2);
});

it('many pages that a browser asks for at once cause one refresh', async () => {
  const browser = await signedIn('many');
  const pages = await Promise.all(Array.from({ length: 10 }, () => browser.get('/')));
  expect(new Set(pages.map((page) => shown(page, 'page')))).toEqual(new Set(['access 1']));
  expect(refreshes('many')).toBe(1);
});

it('without the proxy, a page gets no token that has expired, and a route handler refreshes it', async () => {
  const browser = await signedIn('without');
  const page = await browser.get('/without');
  expect([shown(page, 'layout'), shown(page, 'page'), refreshes('without')]).toEqual(['read-only', 'read-only', 0]);
  expect((await browser.get('/without/api')).json()).toBe('access 1');
  expect(shown(await browser.get('/without'), 'page')).toBe('access 1');
  expect(refreshes('without')).toBe(1);
});
