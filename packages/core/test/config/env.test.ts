import { FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { setEnvDefaults, withEnv } from '../../src/config/env.ts';
import GitHub from '../../src/providers/github.ts';
import type { AuthConfig } from '../../src/types.ts';
import { log, oidc } from '../flows/scene.ts';

type Env = Record<string, string | undefined>;

function filled(env: Env, config: Partial<AuthConfig> = {}): AuthConfig {
  const whole: AuthConfig = { providers: [], logger: log(), ...config };
  setEnvDefaults(env, whole);
  return whole;
}

describe('what the environment says', () => {
  it.each([
    [{}, '/auth'],
    [{ AUTH_URL: 'https://app.test' }, '/auth'],
    [{ AUTH_URL: 'https://app.test/' }, '/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth' }, '/api/auth'],
    [{ AUTH_URL: 'https://app.test/api/auth/' }, '/api/auth'],
    [{ AUTH_URL: 'no address' }, '/auth'],
    [{ AUTH_URL: '' }, '/auth'],
  ])('%j mounts at %s', (env, basePath) => {
    expect(filled(env).basePath).toBe(basePath);
  });

  it('of the base path gives way to the configuration, with a warning unless a binding has set it', () => {
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

  it.each<[Env, boolean]>([
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'development' }, true],
    [{}, true],
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

  it('of a provider fills in what the provider leaves open, in a copy', () => {
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

  it('of a provider reaches a factory, and the key of a mail provider', () => {
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
  });

  it('changes a configuration only the first time', () => {
    const config = filled({ ...env, AUTH_SECRET: 'base' }, { providers: [GitHub] });
    const { providers, secret } = config;
    setEnvDefaults({ ...env, AUTH_SECRET: 'base' }, config);
    expect(config.providers[0]).toBe(providers[0]);
    expect(config.secret).toBe(secret);
  });

  it('may be laid over a frozen configuration: one copy for each, while nothing changes', () => {
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

  it('tells development and origin only when it says so', () => {
    expect(withEnv({ providers: [] }, {}).call).toEqual({ origin: undefined, development: false });
    expect(withEnv({ providers: [] }, { NODE_ENV: 'test', NEXTAUTH_URL: 'https://old.test/x' }).call).toEqual({
      origin: 'https://old.test',
      development: false,
    });
  });
});

describe('`providers` that are none', () => {
  it.each<[string, unknown]>([
    ['a hole in the list', [undefined]],
    ['a condition that was false', [false]],
    ['a name', ['github']],
    ['no list', { github: GitHub }],
    ['nothing', undefined],
  ])('are told with a remedy: %s', async (_, providers) => {
    const config = { providers, secret: 'a secret of more than thirty-two characters' } as AuthConfig;
    const copy = withEnv(config, {}).config;
    setEnvDefaults({}, config);
    for (const each of [copy, config]) {
      const logger = log();
      const page = await Auth(new Request('http://localhost:3000/auth/signin'), { ...each, logger });
      expect(page.status).toBe(500);
      expect(logger.errors.map(({ message }) => message).join()).toMatch(/`providers`.*(Give|Import)/s);
    }
  });
});
