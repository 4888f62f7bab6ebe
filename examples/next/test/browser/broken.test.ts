import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, untilAnswers } from '../../../shared/program.ts';
import { freePort } from '../../../shared/test/demo.ts';
import { isWithoutBrowser, launch, openPage } from '../../../shared/test/visit.ts';
import { buildApplication, next } from '../../build.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
/** The output of the server. */
const log: string[] = [];
const running: { browser?: Browser; server?: ChildProcess; origin?: string } = {};

describe.skipIf(isWithoutBrowser)('the Next.js demo without a secret', () => {
  beforeAll(async () => {
    await buildApplication('');
    const port = await freePort();
    running.origin = `http://localhost:${port}`;
    const env = {
      AUTH_SECRET: '',
      AUTH_TRUST_HOST: 'true',
      AUTH_DEMO_ISSUER: 'http://localhost:1',
      AUTH_DEMO_ID: 'demo',
    };
    running.server = startProgram(next, ['start', '--port', `${port}`, '-H', 'localhost'], { cwd: folder, env });
    for (const stream of [running.server.stdout, running.server.stderr])
      stream?.setEncoding('utf8').on('data', (part) => log.push(part));
    await untilAnswers(running.server, `${running.origin}/favicon.ico`);
    running.browser = await launch();
  });
  afterAll(async () => {
    await running.browser?.close();
    if (running.server?.kill()) await once(running.server, 'close');
  });

  it('refuses all requests, shows no details to visitors, and logs them to the console', async () => {
    const origin = String(running.origin);
    const page = await openPage(running.browser as Browser, `${origin}/private`, []);
    expect(await page.content()).not.toContain('The private page');
    await page.goto(`${origin}/api/auth/signin`);
    expect(await page.content()).not.toMatch(/secret|AUTH_|Missing|node_modules|\n\s+at /i);
    expect(await page.locator('body').innerText()).toMatch(/configuration|server/i);
    const session = await fetch(`${origin}/api/auth/session`);
    expect([session.status, await session.json()]).toMatchObject([500, { message: expect.any(String) }]);
    expect(log.join('')).toContain('MissingSecret');
    expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
  });
});
