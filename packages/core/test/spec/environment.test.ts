import { describe, expect, it } from 'vitest';
import { type Env, setEnvDefaults, withEnv } from '../../src/config/env.ts';
import { createActionURL } from '../../src/entry/route.ts';
import { MissingSecretError } from '../../src/errors.ts';
import { decode } from '../../src/jwt.ts';
import type { OIDCConfig, OIDCUserConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig, Profile } from '../../src/types.ts';
import { asked, fakeProvider, oidc, type Scene, SECRET } from '../flows/scene.ts';
import { oidcSite, SESSION, site } from './site.ts';

const open = { clientId: undefined, clientSecret: undefined };

/** An application that the environment has configured. */
function configured(env: Env, config: Partial<AuthConfig> = {}): Scene {
  const whole: AuthConfig = { providers: [], ...config };
  setEnvDefaults(env, whole, true);
  return site(whole);
}

const trusted = { AUTH_SECRET: SECRET, AUTH_TRUST_HOST: 'true' };

describe('configuration from the environment', () => {
  it('AUTH_{PROVIDER}_ID | inferred as `clientId`; PROVIDER is the uppercase snake-case form of the id', async () => {
    const provider = oidc(fakeProvider(), { id: 'my-own', ...open });
    const app = configured(
      { ...trusted, AUTH_MY_OWN_ID: 'from-env', AUTH_MY_OWN_SECRET: 's' },
      { providers: [provider] },
    );
    expect(asked(await app.begin('my-own')).client_id).toBe('from-env');
  });

  it('AUTH_{PROVIDER}_SECRET | inferred as `clientSecret`', async () => {
    const clients = [{ client_id: 'client', client_secret: 'from-env' }];
    const fake = fakeProvider({ clients });
    const env = { ...trusted, AUTH_FAKE_ID: 'client', AUTH_FAKE_SECRET: 'from-env' };
    const app = configured(env, { providers: [oidc(fake, open)] });
    await app.signIn(fake);
    expect(await app.session()).not.toBeNull();
  });

  it('AUTH_SECRET | the `secret`', async () => {
    const secret = 'from-the-environment-and-32-characters-long';
    const app = configured({ ...trusted, AUTH_SECRET: secret });
    expect(app.config.secret).toEqual([secret]);
    const fake = fakeProvider();
    const entered = configured({ ...trusted, AUTH_SECRET: secret }, { providers: [oidc(fake)] });
    await entered.signIn(fake);
    const token = entered.browser.cookies.get(SESSION)?.value;
    expect(await decode({ token, secret, salt: SESSION })).toMatchObject({ name: 'Ada Lovelace' });
  });

  // In every environment, see contract 22; to the visitor it is a server error with a reference.
  it('AUTH_SECRET | when absent in production: `MissingSecretError`', async () => {
    const app = configured({ AUTH_TRUST_HOST: 'true', NODE_ENV: 'production' });
    const page = await app.browser.get('/auth/session');
    expect(page.status).toBe(500);
    expect(app.log.errors[0]).toBeInstanceOf(MissingSecretError);
  });

  it('AUTH_SECRET | at least 32 characters are recommended', async () => {
    const app = configured({ ...trusted, AUTH_SECRET: 'short' });
    await app.session();
    expect(app.log.warnings).toEqual([['short-secret']]);
  });

  it('AUTH_URL | base URL of the site', async () => {
    const env = { AUTH_SECRET: SECRET, AUTH_URL: 'https://site.example/login' };
    const { config, call } = withEnv({ providers: [oidc(fakeProvider())] }, env);
    expect(config).toMatchObject({ basePath: '/login', trustHost: true });
    const app = site(config, { call });
    const list = (await app.browser.get('/login/providers')).json<Record<string, { callbackUrl: string }>>();
    expect(list.fake?.callbackUrl).toBe('https://site.example/login/callback/fake');
    expect(createActionURL('signin', 'http', new Headers(), env).href).toBe('https://site.example/login/signin');
  });

  it('<LEGACY_PREFIX>_SECRET, <LEGACY_PREFIX>_URL | older names, aliased to AUTH_SECRET and AUTH_URL', () => {
    const env = { NEXTAUTH_SECRET: SECRET, NEXTAUTH_URL: 'https://site.example/login' };
    expect(configured(env).config).toMatchObject({ secret: [SECRET], basePath: '/login', trustHost: true });
    const newer = { ...env, AUTH_SECRET: 'newer', AUTH_URL: 'https://site.example/auth' };
    expect(configured(newer).config).toMatchObject({ secret: ['newer'], basePath: '/auth' });
  });

  it('AUTH_TRUST_HOST | set to `true` where the platform is not known to set the host header safely', async () => {
    const env = { AUTH_SECRET: SECRET, NODE_ENV: 'production' };
    const refused = configured(env);
    expect((await refused.browser.get('/auth/session')).status).toBe(500);
    expect(refused.log.types()).toEqual(['UntrustedHost']);
    expect((await configured({ ...env, AUTH_TRUST_HOST: 'true' }).browser.get('/auth/session')).status).toBe(200);
    expect(configured({ ...env, VERCEL: '1' }).config.trustHost).toBe(true);
  });

  it('AUTH_REDIRECT_PROXY_URL | default of the option `redirectProxyUrl`', async () => {
    const env = { ...trusted, AUTH_REDIRECT_PROXY_URL: 'https://stable.example/auth' };
    const app = configured(env, { providers: [oidc(fakeProvider())] });
    expect(asked(await app.begin()).redirect_uri).toBe('https://stable.example/auth/callback/fake');
    const own = configured(env, { redirectProxyUrl: 'https://own.example/auth' });
    expect(own.config.redirectProxyUrl).toBe('https://own.example/auth');
  });

  it('a provider called as a function with an options object overrides the inferred defaults', async () => {
    const fake = fakeProvider();
    const Fake = (options: OIDCUserConfig<Profile> = {}): OIDCConfig<Profile> => ({ ...oidc(fake, open), options });
    const env = { ...trusted, AUTH_FAKE_ID: 'from-env', AUTH_FAKE_SECRET: 's' };
    const inferred = configured(env, { providers: [Fake] });
    expect(asked(await inferred.begin()).client_id).toBe('from-env');
    const overridden = configured(env, { providers: [Fake({ clientId: 'from-options' })] });
    expect(asked(await overridden.begin()).client_id).toBe('from-options');
  });

  it('setEnvDefaults(envObject, config) | fills environment-derived defaults into the config', () => {
    const config: AuthConfig = { providers: [] };
    expect(setEnvDefaults(trusted, config)).toBeUndefined();
    expect(config).toEqual({ providers: [], basePath: '/auth', secret: [SECRET], trustHost: true });
  });

  it('what the configuration says itself stands', () => {
    const own = oidcSite({ secret: 'own', trustHost: false, basePath: '/own' }).config;
    setEnvDefaults({ ...trusted, AUTH_URL: 'https://site.example/auth' }, own, true);
    expect(own).toMatchObject({ secret: 'own', trustHost: false, basePath: '/own' });
  });
});
