import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types.ts';
import { type Door, doors } from './doors.ts';
import { asked, expectRefused, fakeProvider, leadsTo, oidc, type Scene, SECRET, scene } from './scene.ts';

const PROXY = 'https://app.example';
const PREVIEW = 'https://feature-7.preview.example';

/** The stable deployment, and a preview of it; they share the secret. */
function deployments(door: Door, own: Partial<AuthConfig> = {}) {
  const fake = fakeProvider();
  const config = { providers: [oidc(fake)], redirectProxyUrl: `${PROXY}/auth`, ...own };
  const proxy = scene(door, config, { origin: PROXY });
  const preview = scene(door, config, { origin: PREVIEW });
  return { fake, proxy, preview };
}

async function answerFor(app: Scene, fake: ReturnType<typeof fakeProvider>): Promise<string> {
  const started = await app.begin('fake', { callbackUrl: '/dashboard' });
  return fake.authorize(started.location ?? '');
}

describe.each(doors)('a redirect proxy, through $name', (door) => {
  it('hands the answer on to the preview that asked, where the sign-in ends', async () => {
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

  it('signs its own visitors in as ever', async () => {
    const { fake, proxy } = deployments(door);
    expect(leadsTo(await proxy.finish(await answerFor(proxy, fake)))).toBe('/dashboard');
    expect(await proxy.session()).not.toBeNull();
  });

  it('checks the state on the preview: an answer for another browser is refused', async () => {
    const { fake, proxy, preview } = deployments(door);
    const handedOn = await proxy.finish(await answerFor(preview, fake));
    expectRefused(preview, await preview.finish(handedOn.location ?? '', preview.visitor()), 'InvalidCheck');
  });

  it('hands nothing on to an origin that is not on its list', async () => {
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
    const app = scene(door, proxy.config, { origin });
    const page = await proxy.finish(await answerFor(app, fake));
    expect(page.redirect?.origin).toBe(isHandedOn ? origin : PROXY);
  });

  it.each([undefined, 7, 'nonsense', 'javascript:alert(1)', 'ftp://preview.example/', 'file:///etc/passwd'])(
    'hands nothing on to %j, whoever sealed it',
    async (origin) => {
      const { fake, proxy } = deployments(door);
      const state = await encode({ token: { origin }, secret: SECRET, salt: 'encodedState' });
      const back = await fake.authorize((await proxy.begin()).location ?? '', { parameters: { state } });
      expectRefused(proxy, await proxy.finish(back), 'InvalidCheck');
    },
  );

  it('hands on what another library of the family has sealed, and to itself nothing: that would go round and round', async () => {
    const { fake, proxy } = deployments(door);
    const sealed = async (origin: string) => {
      const state = await encode({ token: { origin }, secret: SECRET, salt: 'encodedState' });
      return proxy.finish(await fake.authorize((await proxy.begin()).location ?? '', { parameters: { state } }));
    };
    const page = await sealed(`${PREVIEW}/auth/callback/fake`);
    expect(page.location?.startsWith(`${PREVIEW}/auth/callback/fake?`)).toBe(true);
    expectRefused(proxy, await sealed(`${PROXY}/auth/callback/fake`), 'InvalidCheck');
  });

  it('may hand on to http, where a deployment is on the own machine', async () => {
    const { fake, proxy } = deployments(door);
    const local = scene(door, proxy.config, { origin: 'http://localhost:3000' });
    const page = await proxy.finish(await answerFor(local, fake));
    expect(page.location).toMatch('http://localhost:3000/auth/callback/fake?');
  });

  it('is only who is told to be one: others of the same secret hand nothing on', async () => {
    const { fake, preview } = deployments(door);
    const other = scene(door, { providers: preview.config.providers }, { origin: PROXY });
    expectRefused(other, await other.finish(await answerFor(preview, fake)), 'InvalidCheck');
  });

  it('knows the origins of its list by one label for each star, and then warns nobody', async () => {
    const { fake, proxy, preview } = deployments(door, { redirectProxyOrigins: ['https://*.preview.example'] });
    const handedOn = await proxy.finish(await answerFor(preview, fake));
    expect(handedOn.location?.startsWith(PREVIEW)).toBe(true);
    expect(proxy.log.warnings).toEqual([]);
    const evil = scene(door, preview.config, { origin: 'https://two.labels.preview.example' });
    const answer = await answerFor(evil, fake);
    expectRefused(proxy, await proxy.finish(answer), 'OAuthCallbackError');
  });

  it('warns once when it has no list', async () => {
    const { fake, proxy, preview } = deployments(door);
    await proxy.finish(await answerFor(preview, fake));
    await proxy.finish(await answerFor(preview, fake));
    expect(proxy.log.warnings.map(([code]) => code)).toEqual(['redirect-proxy-open']);
  });

  it('takes a state that another secret sealed for one of its own, and refuses it', async () => {
    const { fake, proxy } = deployments(door);
    const foreign = scene(
      door,
      { ...proxy.config, secret: 'another-secret-of-more-than-32-characters!' },
      { origin: PREVIEW },
    );
    expectRefused(proxy, await proxy.finish(await answerFor(foreign, fake)), 'InvalidCheck');
  });

  it('may be set for one provider alone', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { redirectProxyUrl: `${PROXY}/auth/` })] }, { origin: PREVIEW });
    expect(asked(await app.begin()).redirect_uri).toBe(`${PROXY}/auth/callback/fake`);
  });
});
