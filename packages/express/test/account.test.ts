import { accountFrom, ExpressAuth, type ExpressAuthConfig, getSession, RecentSignInRequired } from '@latchkey/express';
import { FakeProvider, memoryAdapter } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve, signIn } from './site.ts';

/** A configuration with Ada in its store, who signs in by password. */
async function withAda(own: Partial<ExpressAuthConfig> = {}) {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  await adapter.linkAccount({ userId: '1', provider: 'fake', providerAccountId: 'ada', type: 'oidc' });
  const { providers } = configuration();
  const config = configuration({
    adapter,
    session: { strategy: 'jwt' },
    providers: [...providers, new FakeProvider({ signingAlgorithm: 'ES256' }).provider()],
    account: { without: ['mails'], hasPassword: () => true },
    ...own,
  });
  return { adapter, config };
}

describe.each(frameworks)('accountFrom on %s', (_name, express) => {
  async function site(config: ExpressAuthConfig) {
    const app = express();
    app.set('trust proxy', true);
    app.use('/auth', ExpressAuth(config, env));
    app.get('/me', async (req, res) => void res.json(await accountFrom(req, config, env).list()));
    app.post('/me/link', async (req, res) => {
      res.redirect(await accountFrom(req, config, env).link('fake', { redirectTo: '/me' }));
    });
    app.post('/me/unlink/:id', async (req, res) => {
      res.json(await accountFrom(req, config, env).unlink(req.params.id));
    });
    app.post('/me/name/:name', async (req, res) => {
      await accountFrom(req, config, env).changeName(req.params.name);
      // The session of the request has the old name. It must not be issued again.
      await getSession(req, config, env);
      res.json(true);
    });
    app.get('/me/unlink/:id', async (req, res) => {
      res.json(await accountFrom(req, config, env).unlink(req.params.id));
    });
    app.post('/me/delete', async (req, res) => {
      await accountFrom(req, config, env).delete();
      res.json(true);
    });
    app.post('/me/confirm', async (req, res) => {
      await accountFrom(req, config, env).confirmEmail('1234 5678');
      res.json(true);
    });
    const fail: ErrorRequestHandler = (error, _request, response, _next) => {
      if (error instanceof RecentSignInRequired) response.redirect(error.signInUrl);
      else response.status(500).json({ type: error.type, message: error.message });
    };
    return serve(app.use(fail));
  }

  it('lists and removes ways, on answers that shared caches do not keep', async () => {
    const { config, adapter } = await withAda();
    const { browser } = await site(config);
    expect((await browser.get('/me')).json()).toEqual([]);
    await signIn(browser);
    const page = await browser.get('/me');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    const [way] = page.json<{ id: string }[]>();
    expect(way).toMatchObject({ kind: 'oidc', provider: 'fake' });
    expect((await browser.post(`/me/unlink/${way?.id}`)).json()).toEqual({ count: 1 });
    expect(adapter.dump().accounts).toEqual([]);
  });

  it('changes the name, also in the session', async () => {
    const { browser } = await site((await withAda()).config);
    await signIn(browser);
    expect((await browser.post('/me/name/Countess')).json()).toBe(true);
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Countess' } });
  });

  it('leads to a provider', async () => {
    const { browser } = await site((await withAda()).config);
    await signIn(browser);
    const page = await browser.post('/me/link');
    expect(page.redirect?.pathname).toContain('authorize');
    expect(page.cookie('authjs.pkce.code_verifier')).toBeDefined();
  });

  it('sends a visitor without a recent sign-in to the page for it', async () => {
    const { browser, origin } = await site((await withAda()).config);
    const page = await browser.post('/me/name/New');
    expect(page.redirect?.href).toMatch(`${origin}/auth/account/sign-in?callbackUrl=`);
  });

  it('does not report a change that was refused as done', async () => {
    const { browser } = await site((await withAda()).config);
    await signIn(browser);
    const unreadable = { headers: { 'x-forwarded-host': 'no"host' } };
    for (const [path, options] of [
      [`/me/name/${'x'.repeat(101)}`, {}],
      ['/me/name/New', unreadable],
      ['/me/delete', unreadable],
      ['/me/confirm', unreadable],
    ] as const) {
      const page = await browser.post(path, {}, options);
      expect([page.status, page.json()]).toMatchObject([500, { message: expect.any(String) }]);
    }
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('changes nothing for a form of another site', async () => {
    const { config, adapter } = await withAda();
    const { browser } = await site(config);
    await signIn(browser);
    for (const path of ['/me/name/New', '/me/link', '/me/unlink/x']) {
      const page = await browser.post(path, {}, { initiator: 'https://evil.test' });
      expect([page.status, page.json()]).toMatchObject([500, { type: 'MissingCSRF' }]);
    }
    expect(adapter.dump().users).toMatchObject([{ name: 'Ada' }]);
  });

  it('changes nothing for a link on another site, although the application answers GET', async () => {
    const { config, adapter } = await withAda();
    const { browser } = await site(config);
    await signIn(browser);
    const [way] = (await browser.get('/me', { site: 'cross-site' })).json<{ id: string }[]>();
    for (const from of ['cross-site', 'same-site'] as const) {
      const page = await browser.get(`/me/unlink/${way?.id}`, { site: from });
      expect([page.status, page.json()]).toMatchObject([500, { type: 'MissingCSRF' }]);
    }
    expect(adapter.dump().accounts).toHaveLength(1);
    expect((await browser.get(`/me/unlink/${way?.id}`, { site: 'same-origin' })).json()).toEqual({ count: 1 });
  });

  it('names the missing option', async () => {
    const { browser } = await site(configuration());
    expect((await browser.get('/me')).json()).toMatchObject({ message: expect.stringContaining('`account`') });
  });
});
