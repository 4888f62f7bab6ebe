import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from '@latchkey/core/jwt';
import { expect, it, vi } from 'vitest';
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

it('docs/guides/tenants.md: each host has its own provider, and unknown hosts are refused', async () => {
  const tenant = (name: string) => ({
    issuer: `https://id.${name}.example`,
    clientId: name,
    clientSecret: `secret-of-${name}`,
    secret: `the secret of ${name}, of more than 32 characters`,
  });
  process.env['TENANTS'] = JSON.stringify({ 'one.example': tenant('one'), 'two.example': tenant('two') });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const file = join(projectOf('guides/tenants.md'), 'tenants.ts');
    const { answer } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { answer: typeof fetch };
    expect((await answer(new Request('https://three.example/'))).status).toBe(404);
    const cookies: Record<string, string> = {};
    for (const name of ['one', 'two']) {
      const value = await encode({
        token: { name, sub: name },
        secret: tenant(name).secret,
        salt: '__Secure-authjs.session-token',
      });
      cookies[name] = `__Secure-authjs.session-token=${value}`;
    }
    const user = async (host: string, of: string) =>
      (await answer(new Request(`https://${host}.example/`, { headers: { cookie: cookies[of] ?? '' } }))).json();
    expect(await user('one', 'one')).toMatchObject({ name: 'one' });
    expect(await user('two', 'one')).toBeNull();
  } finally {
    logged.mockRestore();
    delete process.env['TENANTS'];
  }
});
