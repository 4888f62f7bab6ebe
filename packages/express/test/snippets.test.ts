import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { app as required } from './readme/required.ts';
import { app as start } from './readme/start.ts';
import { secret, serve, sessionCookie } from './site.ts';

async function cookie(): Promise<{ headers: { cookie: string } }> {
  return { headers: { cookie: await sessionCookie({ name: 'Ada', sub: '1' }) } };
}

/** The one with passwords is run by `test/readme`, since it needs another package. */
describe('the applications in README.md', () => {
  beforeEach(() => {
    vi.stubEnv('AUTH_SECRET', secret);
    vi.stubEnv('AUTH_GITHUB_ID', 'id-of-the-application');
    vi.stubEnv('AUTH_GITHUB_SECRET', 'shared');
    vi.stubEnv('OWNER', '1');
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('are these, but for the port', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
      code.replace('\napp.listen(3000);\n', ''),
    );
    const files = ['start', 'required'].map((file) =>
      readFileSync(new URL(`readme/${file}.ts`, import.meta.url), 'utf8'),
    );
    expect(blocks).toEqual(expect.arrayContaining(files));
  });

  it('greet who is signed in', async () => {
    const { browser } = await serve(start);
    expect((await browser.get('/')).text()).toContain('/auth/signin');
    expect((await browser.get('/', await cookie())).text()).toBe('Hello Ada');
    expect((await browser.get('/auth/signin')).text()).toContain('GitHub');
  });

  it('keep others out', async () => {
    const { browser } = await serve(required);
    expect((await browser.get('/')).json()).toBe(null);
    const refused = await browser.get('/account');
    expect([refused.status, refused.json()]).toEqual([401, { name: 'SessionRequired', message: 'Sign in first.' }]);
    expect((await browser.get('/account', await cookie())).json()).toEqual({ user: { name: 'Ada' }, isOwner: true });
  });
});
