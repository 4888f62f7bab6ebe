import type { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Browser } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/services/port.ts';
import { startProgram, untilAnswers } from '../../shared/program.ts';

const folder = new URL('../', import.meta.url);
const program = readFileSync(new URL('app.ts', folder), 'utf8');
const running: { child?: ReturnType<typeof spawn>; origin?: string } = {};

beforeAll(async () => {
  const port = await freePort();
  running.origin = `http://localhost:${port}`;
  const env = {
    NODE_ENV: 'development',
    PORT: String(port),
    AUTH_SECRET: 'a secret of more than thirty-two characters',
    AUTH_GITHUB_ID: 'github-client',
    AUTH_GITHUB_SECRET: 'github-secret',
    AUTH_GOOGLE_ID: 'google-client',
    AUTH_GOOGLE_SECRET: 'google-secret',
  };
  running.child = startProgram('app.ts', [], { cwd: folder.pathname, env });
  await untilAnswers(running.child, running.origin);
});
afterAll(async () => {
  if (running.child?.kill()) await once(running.child, 'exit');
});

const visit = (): Browser => new Browser(fetch, { origin: String(running.origin) });

describe('the program of the README', () => {
  it('is this file, which takes its port from the environment', () => {
    const readme = readFileSync(new URL('../../README.md', folder), 'utf8');
    const imports = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('import'));
    const [, shown = ''] = /```ts\n(import express[\s\S]*?)```/.exec(readme) ?? [];
    const body = (text: string): string =>
      text.slice(text.indexOf('//')).replace(/app\.listen\(.*\);/, 'app.listen();');
    expect(imports(program).toSorted()).toEqual(imports(shown).toSorted());
    expect(body(program)).toBe(body(shown));
  });

  it('sends a visitor without a session to the sign-in page, which names both providers', async () => {
    const browser = visit();
    const start = await browser.get('/');
    expect([start.status, start.redirect?.pathname]).toEqual([302, '/auth/signin']);
    const page = await browser.follow(start, { until: 'page' });
    expect(browser.forms(page).map(({ action }) => new URL(action).pathname)).toEqual([
      '/auth/signin/github',
      '/auth/signin/google',
    ]);
    for (const name of ['GitHub', 'Google']) expect(page.text()).toContain(name);
  });

  it('starts a sign-in at GitHub', async () => {
    const browser = visit();
    const page = await browser.get('/auth/signin');
    const { redirect } = await browser.submit(browser.form(page, 'signin/github'));
    expect(redirect).toMatchObject({ origin: 'https://github.com', pathname: '/login/oauth/authorize' });
    expect(redirect?.searchParams.get('client_id')).toBe('github-client');
    expect(redirect?.searchParams.get('redirect_uri')).toBe(`${running.origin}/auth/callback/github`);
    expect(redirect?.searchParams.get('code_challenge_method')).toBe('S256');
  });
});
