import { FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { setEnvDefaults, withEnv } from '../../src/config/env.ts';
import GitHub from '../../src/providers/github.ts';
import Google from '../../src/providers/google.ts';
import Resend from '../../src/providers/resend.ts';
import { allowShortSecret } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { log, oidc, SECRET } from '../flows/scene.ts';

type Env = Record<string, string | undefined>;

function filled(env: Env, config: Partial<AuthConfig> = {}): AuthConfig {
  const whole: AuthConfig = { providers: [], logger: log(), ...config };
  setEnvDefaults(env, whole);
  return whole;
}

describe('the environment', () => {
  it.each([
    [{}, '/auth'],
    [{ AUTH_URL: 'https://app.test' }, '/auth'],
    [{ AUTH_URL: 'https://app.test/' }, '/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, '/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth/' }, '/api/auth'],
    [{ AUTH_URL: 'no address' }, '/auth'],
    [{ AUTH_URL: '' }, '/auth'],
    [{ NEXTAUTH_URL: 'https://app.test/old' }, '/old'],
    [{ NEXTAUTH_URL: 'https://app.test/old', AUTH_URL: 'https://app.test/new' }, '/new'],
  ])('%j mounts at %s', (env, basePath) => {
    expect(filled(env).basePath).toBe(basePath);
  });

  it('does not replace a configured base path, and warns unless a binding has set it', () => {
    const logger = log();
    const env = { AUTH_URL: 'https://app.test/api/auth' };
    expect(filled(env, { basePath: '/own', logger }).basePath).toBe('/own');
    expect(logger.warnings.map(([code]) => code)).toEqual(['env-url-basepath-redundant']);
    const quiet = log();
    setEnvDefaults(env, { providers: [], basePath: '/own', logger: quiet }, true);
    expect(quiet.warnings).toEqual([]);
  });

  it.each<[Env, string[]]>([
    [{}, []],
    [{ AUTH_SECRET: 'base' }, ['base']],
    [
      { AUTH_SECRET: 'base', AUTH_SECRET_1: 'one', AUTH_SECRET_2: 'two', AUTH_SECRET_3: 'three' },
      ['three', 'two', 'one', 'base'],
    ],
    [{ AUTH_SECRET_2: 'two', AUTH_SECRET: '' }, ['two']],
    [{ NEXTAUTH_SECRET: 'old' }, ['old']],
    [{ NEXTAUTH_SECRET: 'old', AUTH_SECRET: 'new' }, ['new']],
  ])('%j makes the secrets %j', (env, secret) => {
    expect(filled(env).secret).toEqual(secret);
    expect(filled(env, { secret: 'own' }).secret).toBe('own');
    expect(filled(env, { secret: [] }).secret).toEqual(secret);
  });

  it.each<[Env, boolean | 'local']>([
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'development' }, true],
    [{}, 'local'],
    [{ NODE_ENV: '' }, 'local'],
    [{ NODE_ENV: 'staging' }, 'local'],
    [{ NODE_ENV: 'test' }, 'local'],
    [{ NODE_ENV: 'staging', AUTH_URL: 'https://app.test' }, true],
    [{ NODE_ENV: 'staging', AUTH_TRUST_HOST: 'true' }, true],
    [{ AUTH_TRUST_HOST: 'false' }, false],
    [{ VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_URL: 'https://app.test' }, true],
    [{ NODE_ENV: 'production', AUTH_URL: '' }, false],
    [{ NODE_ENV: 'production', AUTH_URL: 'app.example.org' }, false],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'false' }, false],
    [{ NODE_ENV: 'development', AUTH_TRUST_HOST: 'false' }, false],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'yes' }, false],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', CF_PAGES: '1' }, true],
    [{ NODE_ENV: 'production', VERCEL: '1', AUTH_TRUST_HOST: '0' }, false],
  ])('%j trusts the host: %s', (env, trusts) => {
    expect(filled(env).trustHost).toBe(trusts);
    expect(filled(env, { trustHost: true }).trustHost).toBe(true);
    expect(filled(env, { trustHost: false }).trustHost).toBe(false);
  });

  it.each([
    ['http://localhost:3000', 200],
    ['http://shop.localhost', 200],
    ['https://shop.local', 200],
    ['https://shop.test', 200],
    ['http://host.docker.internal:8080', 200],
    ['http://127.0.0.1:3000', 200],
    ['http://127.1:3000', 200],
    ['http://[::1]:3000', 200],
    ['http://10.1.2.3', 200],
    ['http://172.16.0.1', 200],
    ['http://172.31.255.1', 200],
    ['http://192.168.178.20:3000', 200],
    ['http://169.254.1.1', 200],
    ['http://[fd12:3456::1]', 200],
    ['http://[fe80::1]', 200],
    ['https://shop.example', 500],
    ['https://evil.example:3000', 500],
    ['https://localhost.evil.example', 500],
    ['https://test.example', 500],
    ['https://mytest', 500],
    ['https://127.0.0.1.evil.example', 500],
    ['https://10.evil.example', 500],
    ['http://11.0.0.1', 500],
    ['http://172.32.0.1', 500],
    ['http://192.169.0.1', 500],
    ['http://[2001:db8::1]', 500],
  ])('trusts %s where `NODE_ENV` is not set: %i', async (origin, status) => {
    const logger = log();
    const { config, call } = withEnv({ providers: [], logger }, { AUTH_SECRET: SECRET });
    for (const path of ['session', 'csrf']) {
      const page = await Auth(new Request(`${origin}/auth/${path}`), config, call);
      expect(page.status).toBe(status);
    }
    expect(logger.types()).toEqual(status === 200 ? [] : ['UntrustedHost']);
    if (status === 500) expect(logger.errors[0]?.message).toContain(`the host "${new URL(origin).host}", which is not`);
  });

  it.each<[Env, origin: string, headers: Record<string, string>, clientAddress: string | undefined, shown: boolean]>([
    [{ NODE_ENV: 'development' }, 'https://shop.example', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1', true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, 'http://localhost:3000', {}, '127.0.0.1', false],
    [{ NODE_ENV: 'test' }, 'http://localhost:3000', {}, '127.0.0.1', false],
    [{ NODE_ENV: 'staging' }, 'http://localhost:3000', {}, '127.0.0.1', false],
    [{ NODE_ENV: 'toString' }, 'http://localhost:3000', {}, '127.0.0.1', false],
    [{}, 'http://localhost:3000', {}, undefined, true],
    [{}, 'http://shop.localhost', {}, '::1', true],
    [{}, 'http://127.0.0.1:3000', {}, '::ffff:127.0.0.1', true],
    [{}, 'http://[::1]:3000', {}, '127.0.0.1', true],
    [{}, 'http://localhost:3000', {}, '192.168.1.7', false],
    [{}, 'http://192.168.1.7:3000', {}, undefined, false],
    [{}, 'http://shop.test', {}, undefined, false],
    [{}, 'http://localhost:3000', { 'x-forwarded-for': '127.0.0.1' }, undefined, false],
    [{}, 'http://localhost:3000', { 'X-Forwarded-Proto': 'https' }, undefined, false],
    [{}, 'http://localhost:3000', { forwarded: 'for=127.0.0.1' }, undefined, false],
    [{ AUTH_URL: 'https://shop.example' }, 'http://localhost:3000', {}, '127.0.0.1', false],
    [{ AUTH_URL: 'http://localhost:3000' }, 'https://shop.example', {}, undefined, false],
  ])(
    '%j shows details to a request to %s with the headers %j from %s: %s',
    async (env, origin, headers, from, shown) => {
      const { config, call } = withEnv({ providers: [], logger: log() }, env);
      const request = new Request(`${origin}/auth/signin`, { headers });
      const page = await Auth(request, config, { ...call, clientAddress: from });
      expect((await page.text()).includes('MissingSecret')).toBe(shown);
    },
  );

  it('names the first five hosts that it does not trust, and no further ones', async () => {
    const logger = log();
    const { config, call } = withEnv({ providers: [], logger }, { AUTH_SECRET: SECRET });
    for (let round = 0; round < 2; round++) {
      for (let host = 0; host < 9; host++) {
        const page = await Auth(new Request(`https://${host}.example/auth/csrf`), config, call);
        const { reference } = (await page.json()) as { reference: string };
        expect(logger.errors.map((error) => error.cause?.['reference'])).toContain(reference);
      }
    }
    expect(logger.errors.map((error) => error.cause?.['host'])).toEqual(
      [0, 1, 2, 3, 4].map((host) => `${host}.example`),
    );
    expect((await Auth(new Request('http://localhost/auth/csrf'), config, call)).status).toBe(200);
  });

  it('trusts the origin of AUTH_URL where only private hosts are trusted', async () => {
    const env = { AUTH_SECRET: SECRET, AUTH_URL: 'https://shop.example' };
    const { config, call } = withEnv({ providers: [], trustHost: 'local' }, env);
    expect((await Auth(new Request('https://evil.example/auth/session'), config, call)).status).toBe(200);
  });

  it.each<[title: string, secret: AuthConfig['secret'], env: Env, isRefused: boolean]>([
    ['in production', 'short', { NODE_ENV: 'production' }, true],
    ['in a list, in production', [SECRET, 'short'], { NODE_ENV: 'production' }, true],
    ['of 31 characters, in production', 'x'.repeat(31), { NODE_ENV: 'production' }, true],
    ['in development', 'short', { NODE_ENV: 'development' }, false],
    ['elsewhere', 'short', {}, false],
  ])('refuses a short secret %s', async (_title, secret, env, isRefused) => {
    for (const allowed of [false, true]) {
      const logger = log();
      const own = { providers: [], logger, secret, trustHost: true, [allowShortSecret]: allowed };
      const ownJwt = { ...own, secret: SECRET, jwt: { secret } };
      const written: AuthConfig = { ...own, secret: secret as string };
      setEnvDefaults(env, written);
      for (const config of [withEnv(own, env).config, withEnv(ownJwt, env).config, written]) {
        const page = await Auth(new Request('http://localhost/auth/session'), config);
        expect(page.status).toBe(isRefused && !allowed ? 500 : 200);
      }
      if (isRefused && !allowed) {
        expect(logger.errors[0]?.message).toMatch(/has \d+ characters, but needs 32 .*`\[allowShortSecret\]: true`/);
        expect(logger.warnings).toEqual([]);
      } else expect(logger.warnings).toEqual([['short-secret']]);
    }
  });

  it('does not hide an option of a wrong type', async () => {
    const logger = log();
    const wrong = { providers: [], logger, basePath: 5, secret: 5 } as unknown as AuthConfig;
    const { config, call } = withEnv(wrong, { AUTH_SECRET: SECRET });
    const page = await Auth(new Request('http://localhost/auth/session'), config, call);
    expect(page.status).toBe(500);
    expect(logger.errors.map(({ message }) => message).join()).toMatch(/`basePath` must be.*`secret` must be/s);
  });

  it('lists the deployments of a redirect proxy', () => {
    const env = { AUTH_REDIRECT_PROXY_ORIGINS: ' https://a.test,https://*.b.test\nhttps://c.test, ' };
    expect(filled(env).redirectProxyOrigins).toEqual(['https://a.test', 'https://*.b.test', 'https://c.test']);
    expect(filled(env, { redirectProxyOrigins: [] }).redirectProxyOrigins).toEqual([]);
    expect(filled({}).redirectProxyOrigins).toBeUndefined();
  });

  it('names the redirect proxy', () => {
    const env = { AUTH_REDIRECT_PROXY_URL: 'https://proxy.test/auth' };
    expect(filled(env).redirectProxyUrl).toBe('https://proxy.test/auth');
    expect(filled(env, { redirectProxyUrl: 'https://own.test' }).redirectProxyUrl).toBe('https://own.test');
  });

  const env = {
    AUTH_MY_IDP_ID: 'id',
    AUTH_MY_IDP_SECRET: 'secret',
    AUTH_MY_IDP_ISSUER: 'https://issuer.test',
    AUTH_GITHUB_ID: 'gh',
    AUTH_GITHUB_SECRET: 'ghs',
    AUTH_MAIL_KEY: 'key',
  };

  it('fills in what a provider leaves open, in a copy', () => {
    const open = { id: 'my-idp', name: 'X', type: 'oidc' as const };
    const own = { ...open, clientId: 'own' };
    const config = filled(env, { providers: [open, own] });
    expect(config.providers[0]).toEqual({
      ...open,
      clientId: 'id',
      clientSecret: 'secret',
      issuer: 'https://issuer.test',
    });
    expect(config.providers[1]).toMatchObject({ clientId: 'own', clientSecret: 'secret' });
    expect(open).not.toHaveProperty('clientId');
  });

  it('reaches a factory, and the key of a mail provider', () => {
    const mail = { id: 'mail', name: 'Mail', type: 'email' as const, sendVerificationRequest: () => undefined };
    const eager = (options: { issuer?: string }): ReturnType<typeof oidc> => ({
      ...oidc(new FakeProvider()),
      id: 'my-idp',
      clientId: undefined,
      issuer: `${options.issuer}/v2`,
    });
    const config = filled(env, { providers: [GitHub, mail, eager] });
    expect(config.providers[0]).toMatchObject({ id: 'github', options: { clientId: 'gh', clientSecret: 'ghs' } });
    expect(config.providers[1]).toMatchObject({ apiKey: 'key' });
    expect(config.providers[2]).toMatchObject({ issuer: 'https://issuer.test/v2' });
    const [own] = filled(env, { providers: [GitHub({ clientId: 'own' })] }).providers;
    expect(own).toMatchObject({ options: { clientId: 'own' } });
  });

  it('sets what a factory leaves open beside its `options`, and keeps a default issuer', () => {
    const variables = { ...env, AUTH_GOOGLE_ID: 'g', AUTH_GOOGLE_ISSUER: 'https://other.test', AUTH_GITHUB_KEY: 'no' };
    const [github, google, resend] = filled(
      { ...variables, AUTH_RESEND_KEY: 'key' },
      {
        providers: [GitHub, Google, Resend],
      },
    ).providers;
    expect(github).toMatchObject({ clientId: 'gh', clientSecret: 'ghs' });
    expect(github).not.toHaveProperty('apiKey');
    expect(google).toMatchObject({ clientId: 'g', issuer: 'https://accounts.google.com' });
    expect(google).toMatchObject({ options: { issuer: 'https://other.test' } });
    expect(resend).toMatchObject({ apiKey: 'key' });
    expect(resend).not.toHaveProperty('clientId');
  });

  it('changes a configuration only the first time', () => {
    const config = filled({ ...env, AUTH_SECRET: 'base' }, { providers: [GitHub] });
    const { providers, secret } = config;
    setEnvDefaults({ ...env, AUTH_SECRET: 'base' }, config);
    expect(config.providers[0]).toBe(providers[0]);
    expect(config.secret).toBe(secret);
  });

  it('is laid over a frozen configuration in a copy, which is the same while nothing changes', () => {
    const config = Object.freeze<AuthConfig>({ providers: [GitHub] });
    const variables = { ...env, AUTH_SECRET: 'base', AUTH_URL: 'https://app.test/api', NODE_ENV: 'development' };
    const first = withEnv(config, variables);
    expect(first.config).toMatchObject({ secret: ['base'], basePath: '/api', trustHost: true });
    expect(first.call).toEqual({ origin: 'https://app.test', development: true });
    expect(withEnv(config, variables).config).toBe(first.config);
    expect(withEnv(config, { AUTH_SECRET: 'other' }).config.secret).toEqual(['other']);
    expect(config).toEqual({ providers: [GitHub] });
  });

  it('is read again for a configuration that has changed', () => {
    const config: AuthConfig = { providers: [] };
    const variables = { AUTH_SECRET: 'base' };
    const first = withEnv(config, variables);
    config.providers.push(GitHub);
    const second = withEnv(config, variables);
    expect(second.config).not.toBe(first.config);
    expect(second.config.providers).toHaveLength(1);
    config.basePath = '/own';
    expect(withEnv(config, variables).config.basePath).toBe('/own');
  });

  it('is read again for a provider whose members or options have changed, with one warning in development', () => {
    for (const NODE_ENV of ['development', 'production']) {
      const own = log();
      const provider = { ...GitHub({ clientId: 'first' }), clientId: 'own' };
      const config: AuthConfig = { providers: [provider], logger: own };
      const variables = { ...env, NODE_ENV };
      const known = () => withEnv(config, variables).config;
      const first = known();
      expect(known()).toBe(first);
      provider.clientId = 'edited';
      expect(known().providers).toEqual([expect.objectContaining({ clientId: 'edited', clientSecret: 'ghs' })]);
      Object.assign(provider.options ?? {}, { clientId: 'second' });
      expect(known().providers).toEqual([expect.objectContaining({ options: { clientId: 'second' } })]);
      const second = known();
      expect(known()).toBe(second);
      expect(own.warnings).toEqual(NODE_ENV === 'development' ? [['provider-changed']] : []);
    }
  });

  it('gives no warning for a new provider, or for a change elsewhere', () => {
    const own = log();
    const config: AuthConfig = { providers: [GitHub({})], logger: own };
    const variables = { ...env, NODE_ENV: 'development' };
    withEnv(config, variables);
    config.basePath = '/own';
    withEnv(config, variables);
    config.providers[0] = GitHub({ clientId: 'other' });
    withEnv(config, variables);
    config.providers.push(GitHub({ id: 'late' }));
    expect(withEnv(config, variables).config.providers).toHaveLength(2);
    expect(own.warnings).toEqual([]);
  });

  it('names development and the origin only if they are set', () => {
    expect(withEnv({ providers: [] }, {}).call).toEqual({ origin: undefined, development: 'local' });
    expect(withEnv({ providers: [] }, { NODE_ENV: 'test', NEXTAUTH_URL: 'https://old.test/x' }).call).toEqual({
      origin: 'https://old.test',
      development: false,
    });
  });
});

describe('`providers` that are not providers', () => {
  it.each<[string, unknown, status: number]>([
    ['a hole in the list', [undefined], 200],
    ['a condition that was false', [false], 200],
    ['a name', ['github'], 200],
    ['a factory that throws', [(options: { a: { b: string } }) => ({ id: options.a.b })], 200],
    ['no list', { github: GitHub }, 500],
    ['nothing', undefined, 500],
  ])('are reported with a remedy: %s', async (_, providers, status) => {
    const config = { providers, secret: 'a secret of more than thirty-two characters' } as AuthConfig;
    const copy = withEnv(config, {}).config;
    setEnvDefaults({}, config);
    for (const each of [copy, config]) {
      const logger = log();
      const page = await Auth(new Request('http://localhost:3000/auth/signin'), { ...each, logger });
      expect(page.status).toBe(status);
      expect(logger.errors.map(({ message }) => message).join()).toMatch(/provider.*(Give|Import|Call)/s);
    }
  });
});
