import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { AuthConfig } from '@latchkey/core/types';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { signsInAndOut, startApplication, type Wrapper } from './journey.ts';
import { serve } from './server.ts';

const peer = fileURLToPath(new URL('../peers/auth-qwik', import.meta.url));
const app = join(peer, 'app');
const core = fileURLToPath(new URL('../../packages/core/dist', import.meta.url));

beforeAll(async () => {
  const sources = ['src', 'adapters', 'vite.config.ts', '../package-lock.json'].map((name) => join(app, name));
  const inputs = { sources: [...sources, core], without: ['**/*.d.ts.map'], output: join(app, 'dist'), others: [] };
  await buildWhenNeeded(inputs, async () => {
    const vite = join(peer, 'node_modules/vite/bin/vite.js');
    const options = { cwd: app, env: { ...process.env, NODE_ENV: 'production' } };
    await promisify(execFile)(process.execPath, [vite, 'build'], options);
    await promisify(execFile)(process.execPath, [vite, 'build', '-c', 'adapters/vite.config.ts'], options);
  });
});

/** A part of Qwik City's server, which calls `next` for the requests that it does not answer. */
type Middleware = (...given: [...Parameters<RequestListener>, next: () => void]) => void;

/** The built application. */
const qwik: Wrapper = {
  basePath: '/auth',
  hasToken: false,
  async start(config: AuthConfig) {
    Object.assign(globalThis, { wrapperConfig: config });
    const entry = pathToFileURL(join(app, 'dist/server/entry.node.js')).href;
    const { router, notFound }: Record<'router' | 'notFound', Middleware> = await import(/* @vite-ignore */ entry);
    return serve((request, response) => router(request, response, () => notFound(request, response, () => undefined)));
  },
};

describe('@auth/qwik', () => {
  signsInAndOut(qwik);

  // The guide warns of this.
  it('turns off the CSRF token, and Qwik City does not check the origin below /auth', async () => {
    const { browser } = await startApplication(qwik);
    await browser.post('/auth/callback/credentials', { password: 'right' }, { site: 'cross-site' });
    expect((await browser.get('/me')).json()).toEqual({ email: 'grace@example.com' });
  });

  it('signs in and out by its actions', async () => {
    const { browser, provider, open } = await startApplication(qwik);
    const page = await browser.get('/');
    expect(page.text()).toContain('You are not signed in.');
    const started = await browser.submit(browser.form(page, ({ id }) => id === 'sign-in'));
    // Qwik City's client goes to this address. The status is 200.
    const back = await open(await provider.authorize(String(started.headers.get('location'))), browser);
    expect(back.redirect?.pathname).toBe('/me');
    const home = await browser.get('/');
    expect(home.text()).toContain('Hello Ada');
    await browser.submit(browser.form(home, ({ id }) => id === 'sign-out'));
    expect((await browser.get('/me')).status).toBe(401);
  });
});
