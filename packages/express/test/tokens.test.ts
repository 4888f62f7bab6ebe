import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig } from '@latchkey/core/types';
import { ExpressAuth, type ExpressAuthConfig, tokensFrom } from '@latchkey/express';
import { application, FakeProvider, MemoryTokenVault, memoryAdapter } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve, signIn } from './site.ts';

const importToken = (config: ExpressAuthConfig) =>
  tokensOf(config, env).import({
    userId: '1',
    provider: 'fake',
    providerAccountId: 'ada',
    access_token: 'the token',
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  });

describe.each(frameworks)('tokensFrom on %s', (_name, express) => {
  async function site() {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const config: ExpressAuthConfig = configuration({
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      tokens: { store: MemoryTokenVault() },
      providers: [...configuration().providers, provider.provider()],
    });
    const app = express();
    app.use('/auth', ExpressAuth(config, env));
    app.get('/token', (request, response, next) => {
      tokensFrom(request, config, env)
        .get('fake')
        .then(({ accessToken }) => response.json({ accessToken }), next);
    });
    app.all('/revoke', (request, response, next) => {
      tokensFrom(request, config, env)
        .revoke()
        .then((revoked) => response.json(revoked), next);
    });
    const fail: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(500).json({ type: error.type, code: error.code, remedy: error.remedy });
    return { config, ...(await serve(app.use(fail))) };
  }

  it('returns the token of the visitor, on answers that shared caches do not keep', async () => {
    const { config, browser } = await site();
    await importToken(config);
    const before = await browser.get('/token');
    expect([before.status, before.json()]).toEqual([
      500,
      { type: 'TokensUnavailable', code: 'signed-out', remedy: 'sign-in' },
    ]);
    await signIn(browser);
    const page = await browser.get('/token');
    expect(page.json()).toEqual({ accessToken: 'the token' });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it('revokes nothing for links and forms of another site', async () => {
    const { config, browser } = await site();
    await importToken(config);
    await signIn(browser);
    for (const from of ['cross-site', 'same-site'] as const) {
      const link = await browser.get('/revoke', { site: from });
      expect([link.status, link.json()]).toMatchObject([500, { type: 'MissingCSRF' }]);
    }
    const form = await browser.post('/revoke', {}, { site: 'same-site' });
    expect([form.status, form.json()]).toMatchObject([500, { type: 'MissingCSRF' }]);
    expect(await tokensOf(config, env).list({ userId: '1' })).toHaveLength(1);
    expect((await browser.post('/revoke')).json()).toMatchObject([{ provider: 'fake', account: 'ada' }]);
  });

  it('refreshes tokens in a cookie, and not after the head was sent', async () => {
    const refreshes: string[] = [];
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const entry = {
      ...provider.provider(),
      account: () => ({ access_token: 'old', refresh_token: 'first', expires_at: 1 }),
      refresh: {
        request: async ({ refreshToken }: { refreshToken: string }) => {
          refreshes.push(refreshToken);
          return {
            tokens: { access_token: 'new', refresh_token: 'next', expires_in: 3600, token_type: 'bearer' as const },
          };
        },
      },
    };
    const config = configuration({ providers: [entry], tokens: { store: 'cookie' } });
    const app = express();
    app.get('/token', (request, response) => {
      if (request.query['late'] !== undefined) response.writeHead(200);
      tokensFrom(request, config, env)
        .get('fake')
        .then(
          ({ accessToken }) => response.end(accessToken),
          (error) => response.end(error.code),
        );
    });
    const { browser } = await serve(app);
    const signedIn = application({ provider, config: config as AuthConfig });
    await signedIn.signIn();
    for (const { name, value } of signedIn.browser.cookies.all()) browser.cookies.set(name, value);
    expect([(await browser.get('/token?late')).text(), refreshes]).toEqual(['read-only', []]);
    const page = await browser.get('/token');
    expect(page.text()).toBe('new');
    expect(page.cookie('authjs.tokens')).toMatchObject({ httpOnly: true });
    expect((await browser.get('/token')).text()).toBe('new');
    expect(refreshes).toEqual(['first']);
  });

  it('needs the configuration', () => {
    expect(() => tokensFrom({} as never, undefined as never)).toThrow('needs the configuration');
  });
});
