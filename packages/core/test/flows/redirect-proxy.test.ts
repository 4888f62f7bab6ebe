import { describe, expect, it } from 'vitest';
import { setEnvDefaults, withEnv } from '../../src/config/env.ts';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, doors } from './doors.ts';
import { asked, expectRefused, fakeProvider, leadsTo, oidc, type Scene, SECRET, scene } from './scene.ts';

const PROXY = 'https://app.example';
const PREVIEW = 'https://feature-7.preview.example';

/** The stable deployment, and a preview of it; they share the secret. */
function deployments(door: Door, own: Partial<AuthConfig> = {}) {
  const fake = fakeProvider();
  const config = { providers: [oidc(fake)], redirectProxyUrl: `${PROXY}/auth`, ...own };
  const proxy = scene(door, config, { origin: PROXY });
  const preview = scene(door, config, { origin: PREVIEW, call });
  return { fake, proxy, preview };
}

/** As `AUTH_URL` and the platforms make it. */
const call = { isOriginFixed: true };

async function answerFor(app: Scene, fake: ReturnType<typeof fakeProvider>): Promise<string> {
  const started = await app.begin('fake', { callbackUrl: '/dashboard' });
  return fake.authorize(started.location ?? '');
}

describe.each(doors)('a redirect proxy, through $name', (door) => {
  it('forwards the answer to the preview that asked, where the sign-in ends', async () => {
    const { fake, proxy, preview } = deployments(door);
    const started = await preview.begin('fake', { callbackUrl: '/dashboard' });
    expect(asked(started).redirect_uri).toBe(`${PROXY}/auth/callback/fake`);
    const handedOn = await proxy.finish(await fake.authorize(started.location ?? ''));
    expect(handedOn.location?.startsWith(`${PREVIEW}/auth/callback/fake?`)).toBe(true);
    expect(fake.count('token')).toBe(0);
    const page = await preview.finish(handedOn.location ?? '');
    expect(leadsTo(page)).toBe('/dashboard');
    expect(await preview.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(await proxy.session()).toBeNull();
  });

  it('signs its own visitors in', async () => {
    const { fake, proxy } = deployments(door);
    expect(leadsTo(await proxy.finish(await answerFor(proxy, fake)))).toBe('/dashboard');
    expect(await proxy.session()).not.toBeNull();
  });

  it('checks the state on the preview: an answer for another browser is refused', async () => {
    const { fake, proxy, preview } = deployments(door);
    const handedOn = await proxy.finish(await answerFor(preview, fake));
    expectRefused(preview, await preview.finish(handedOn.location ?? '', preview.visitor()), 'InvalidCheck');
  });

  it('forwards nothing to an origin that is not on its list', async () => {
    const { fake, proxy, preview } = deployments(door, { redirectProxyOrigins: ['https://*.other.example'] });
    expectRefused(proxy, await proxy.finish(await answerFor(preview, fake)), 'OAuthCallbackError');
    expect(proxy.log.errors[0]?.cause).toMatchObject({ provider: 'fake', origin: PREVIEW });
  });

  it.each([
    ['https://feature-7.preview.example', PREVIEW, true],
    ['https://feature-7.preview.example/', PREVIEW, true],
    ['https://Feature-*.preview.EXAMPLE', PREVIEW, true],
    ['https://*-*.preview.example', PREVIEW, true],
    ['https://feature-7*.preview.example', PREVIEW, false],
    ['feature-7.preview.example', PREVIEW, false],
    ['https://feature-7.preview.example//', PREVIEW, false],
    ['https://*.preview.example', 'https://a.preview.example.evil.example', false],
    ['https://*.preview.example', 'https://a.previewxexample', false],
    ['https://*.preview.example', 'https://a.preview.example:8443', false],
    ['(https://feature-7).preview.example', PREVIEW, false],
  ])('takes %j in its list for %s: %s', async (pattern, origin, isHandedOn) => {
    const { fake, proxy } = deployments(door, { redirectProxyOrigins: ['https://another.example', pattern] });
    const app = scene(door, proxy.config, { origin, call });
    const page = await proxy.finish(await answerFor(app, fake));
    expect(page.redirect?.origin).toBe(isHandedOn ? origin : PROXY);
  });

  it.each([undefined, 7, 'nonsense', 'javascript:alert(1)', 'ftp://preview.example/', 'file:///etc/passwd'])(
    'forwards nothing to %j, even if it is sealed',
    async (origin) => {
      const { fake, proxy } = deployments(door);
      const state = await encode({ token: { origin }, secret: SECRET, salt: 'encodedState' });
      const back = await fake.authorize((await proxy.begin()).location ?? '', { parameters: { state } });
      expectRefused(proxy, await proxy.finish(back), 'InvalidCheck');
    },
  );

  it('forwards states that Auth.js has sealed to origins of its list, and nothing to itself, which would be a loop', async () => {
    const { fake, proxy } = deployments(door, { redirectProxyOrigins: [PREVIEW] });
    const sealed = async (origin: string) => {
      const state = await encode({ token: { origin }, secret: SECRET, salt: 'encodedState' });
      return proxy.finish(await fake.authorize((await proxy.begin()).location ?? '', { parameters: { state } }));
    };
    const page = await sealed(`${PREVIEW}/auth/callback/fake`);
    expect(page.location?.startsWith(`${PREVIEW}/auth/callback/fake?`)).toBe(true);
    expectRefused(proxy, await sealed(`${PROXY}/auth/callback/fake`), 'InvalidCheck');
  });

  it('may forward to http on the same machine', async () => {
    const { fake, proxy } = deployments(door);
    const local = scene(door, proxy.config, { origin: 'http://localhost:3000', call });
    const page = await proxy.finish(await answerFor(local, fake));
    expect(page.location).toMatch('http://localhost:3000/auth/callback/fake?');
  });

  it('is only the configured deployment: others with the same secret forward nothing', async () => {
    const { fake, preview } = deployments(door);
    const other = scene(door, { providers: preview.config.providers }, { origin: PROXY });
    expectRefused(other, await other.finish(await answerFor(preview, fake)), 'InvalidCheck');
  });

  it('matches one label for each star of its list, and then logs no warning', async () => {
    const { fake, proxy, preview } = deployments(door, { redirectProxyOrigins: ['https://*.preview.example'] });
    const handedOn = await proxy.finish(await answerFor(preview, fake));
    expect(handedOn.location?.startsWith(PREVIEW)).toBe(true);
    expect(proxy.log.warnings).toEqual([]);
    const evil = scene(door, preview.config, { origin: 'https://two.labels.preview.example', call });
    const answer = await answerFor(evil, fake);
    expectRefused(proxy, await proxy.finish(answer), 'OAuthCallbackError');
  });

  it('forwards nothing without a list for a deployment that did not know its origin for certain', async () => {
    const { fake, proxy } = deployments(door);
    // Sealed by Auth.js, or by an older release.
    const state = await encode({
      token: { origin: `${PREVIEW}/auth/callback/fake` },
      secret: SECRET,
      salt: 'encodedState',
    });
    const back = await fake.authorize((await proxy.begin()).location ?? '', { parameters: { state } });
    expect(leadsTo(await proxy.finish(back))).toMatch(/^\/auth\/error\?error=Configuration&reference=/);
    expect(proxy.log.errors[0]?.message).toContain(`add ${PREVIEW} to \`redirectProxyOrigins\``);
    expect(fake.count('token')).toBe(0);
  });

  it.each<[string, Record<string, string>, origin: string, starts: boolean]>([
    ['AUTH_URL names it', { AUTH_URL: PREVIEW }, 'https://evil.example', true],
    ['Vercel sets the host', { VERCEL: '1' }, PREVIEW, true],
    ['Cloudflare Pages runs it, which passes on `X-Forwarded-Host`', { CF_PAGES: '1' }, 'https://evil.example', false],
    ['the owner trusts the host of the request', { AUTH_TRUST_HOST: 'true' }, 'https://evil.example', false],
    ['the application is in development', { NODE_ENV: 'development' }, 'https://evil.example', false],
  ])('tells the origin of a deployment if %s: %j', async (_, env, origin, starts) => {
    const { fake, proxy } = deployments(door);
    const own = withEnv({ ...proxy.config, trustHost: undefined }, { AUTH_SECRET: SECRET, ...env });
    const preview = scene(door, own.config, { origin, call: own.call });
    const started = await preview.begin('fake');
    if (starts) {
      const handedOn = await proxy.finish(await fake.authorize(started.location ?? ''));
      expect(handedOn.redirect?.origin).toBe(PREVIEW);
    } else {
      expect(started.redirect?.hostname).not.toBe('idp.test');
      expect(proxy.log.errors[0]?.message).toMatch(/read from the request \(https:\/\/evil\.example\).*Set AUTH_URL/);
    }
  });

  it('knows its origin for applications that read the environment with `setEnvDefaults`', async () => {
    const { proxy } = deployments(door);
    const started = async (env: Record<string, string>, origin = PREVIEW) => {
      const config: AuthConfig = { ...proxy.config };
      setEnvDefaults(env, config);
      return asked(await scene(door, config, { origin }).begin('fake')).redirect_uri;
    };
    expect(await started({ VERCEL: '1' })).toBe(`${PROXY}/auth/callback/fake`);
    expect(await started({ AUTH_URL: PREVIEW })).toBe(`${PROXY}/auth/callback/fake`);
    // `Auth()` takes the origin from the request, not from AUTH_URL.
    expect(await started({ AUTH_URL: PREVIEW }, 'https://evil.example')).toBeUndefined();
  });

  it('reads its list from AUTH_REDIRECT_PROXY_ORIGINS', async () => {
    const { fake, proxy, preview } = deployments(door);
    const env = { AUTH_REDIRECT_PROXY_ORIGINS: 'https://other.example, https://*.preview.example' };
    const own = withEnv(proxy.config, { ...env, AUTH_URL: PROXY });
    const app = scene(door, own.config, { origin: PROXY, call: own.call });
    expect((await app.finish(await answerFor(preview, fake))).redirect?.origin).toBe(PREVIEW);
    expect(proxy.log.warnings).toEqual([]);
    const evil = scene(door, preview.config, { origin: 'https://preview.example.evil.example', call });
    expect(leadsTo(await app.finish(await answerFor(evil, fake)))).toBe('/auth/signin?error=OAuthCallbackError');
  });

  it('warns once if it has no list', async () => {
    const { fake, proxy, preview } = deployments(door);
    await proxy.finish(await answerFor(preview, fake));
    await proxy.finish(await answerFor(preview, fake));
    expect(proxy.log.warnings.map(([code]) => code)).toEqual(['redirect-proxy-open']);
  });

  it('refuses a state that is sealed with another secret', async () => {
    const { fake, proxy } = deployments(door);
    const foreign = scene(
      door,
      { ...proxy.config, secret: 'another-secret-of-more-than-32-characters!' },
      { origin: PREVIEW, call },
    );
    expectRefused(proxy, await proxy.finish(await answerFor(foreign, fake)), 'InvalidCheck');
  });

  it.each([{}, { redirectProxyUrl: 'https://other.example/auth' }])(
    'of one provider takes precedence over the configuration %j',
    async (config) => {
      const providers = [oidc(fakeProvider(), { redirectProxyUrl: `${PROXY}/auth/` })];
      const app = scene(door, { providers, ...config }, { origin: PREVIEW, call });
      expect(asked(await app.begin()).redirect_uri).toBe(`${PROXY}/auth/callback/fake`);
    },
  );

  it.each([
    [914, true],
    [915, false],
  ])('forwards an answer after %i seconds: %s', async (seconds, isForwarded) => {
    const { fake, proxy, preview } = deployments(door);
    const back = await answerFor(preview, fake);
    proxy.clock.set(new Date(preview.clock.now().getTime() + seconds * 1000));
    expect((await proxy.finish(back)).redirect?.origin).toBe(isForwarded ? PREVIEW : PROXY);
  });

  it('adds the state to the checks', async () => {
    const { fake, proxy } = deployments(door, {});
    const started = await proxy.begin();
    const back = await fake.authorize(started.location ?? '', { parameters: { state: undefined } });
    expectRefused(proxy, await proxy.finish(back), 'InvalidCheck');
  });
});
