import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { projectOf, settings, visitorOf } from './page.ts';

type Fetch = (request: Request, env: Record<string, string>) => Promise<Response>;

it.each(['worker.ts', 'server.ts'])(
  'docs/start/runtimes.md: %s signs in, up to the redirect to GitHub',
  async (file) => {
    const folder = projectOf('start/runtimes.md');
    const { default: server } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)) as {
      default: { fetch: Fetch };
    };
    const before = { ...process.env };
    Object.assign(process.env, settings);
    try {
      const browser = visitorOf('http://localhost:3000', (request) => server.fetch(request, settings));
      expect((await browser.get('/')).text()).toBe('Open /auth/signin to sign in.');
      const started = await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/github'));
      expect(started.redirect?.origin).toBe('https://github.com');
    } finally {
      for (const name of Object.keys(settings)) delete process.env[name];
      Object.assign(process.env, before);
    }
  },
);
