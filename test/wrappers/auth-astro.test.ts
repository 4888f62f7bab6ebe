import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { AuthConfig } from '@latchkey/core/types';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { signIn, signsInAndOut, startApplication, type Wrapper } from './journey.ts';
import { serve } from './server.ts';

const peer = fileURLToPath(new URL('../peers/auth-astro', import.meta.url));
const app = join(peer, 'app');
const core = fileURLToPath(new URL('../../packages/core/dist', import.meta.url));

beforeAll(async () => {
  const sources = ['src', 'astro.config.mjs', 'auth.config.ts', '../package-lock.json'].map((name) => join(app, name));
  const inputs = { sources: [...sources, core], without: ['**/*.d.ts.map'], output: join(app, 'dist'), others: [] };
  await buildWhenNeeded(inputs, async () => {
    await promisify(execFile)(process.execPath, [join(peer, 'node_modules/astro/bin/astro.mjs'), 'build'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
    });
  });
});

const copies = { count: 0 };

/** The built application. It reads the configuration when it is loaded, so each start loads a copy of its own. */
const astro: Wrapper = {
  basePath: '/api/auth',
  async start(config: AuthConfig) {
    copies.count += 1;
    const copy = join(app, 'dist', `copy-${copies.count}`, 'server');
    cpSync(join(app, 'dist/server'), copy, { recursive: true });
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    Object.assign(globalThis, { wrapperConfig: config });
    const entry = pathToFileURL(join(copy, 'entry.mjs')).href;
    const { handler }: { handler: RequestListener } = await import(/* @vite-ignore */ entry);
    return serve(handler);
  },
};

describe('auth-astro', () => {
  signsInAndOut(astro);

  it('shows the visitor in its component', async () => {
    const site = await startApplication(astro);
    expect((await site.browser.get('/')).text()).toContain('You are not signed in.');
    await signIn(site);
    expect((await site.browser.get('/')).text()).toContain('Hello Ada');
  });

  it('does not pass on the actions that Auth.js did not have in its version', async () => {
    // Astro logs that the endpoint has not answered.
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const { browser } = await startApplication(astro);
    expect((await browser.get('/api/auth/webauthn-options/passkey')).status).toBe(500);
    expect((await browser.get('/api/auth/asset/page.js')).status).toBe(500);
  });
});
