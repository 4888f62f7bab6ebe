import { inspect } from 'node:util';
import type { IdTokenOverride, Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type LogoutScene, logoutScene } from './scene.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

function claims(changes: Record<string, unknown>): IdTokenOverride {
  return { claims: changes };
}

function seconds({ app }: LogoutScene): number {
  return Math.floor(app.clock.now().getTime() / 1000);
}

async function signedIn(options?: Parameters<typeof logoutScene>[0]): Promise<LogoutScene> {
  const scene = logoutScene(options);
  await scene.signIn('s1');
  return scene;
}

/** Returns a correct logout token of this many characters. Base64url has texts of some lengths only in two parts. */
async function tokenOf({ provider }: LogoutScene, length: number): Promise<string> {
  const { length: plain } = await provider.logoutToken({ claims: { more: '' } });
  const about = Math.floor(((length - plain) * 3) / 4);
  for (const header of ['', 'a', 'aa']) {
    for (let bytes = about - 40; bytes < about + 4; bytes += 1) {
      const token = await provider.logoutToken({ header: { more: header }, claims: { more: 'a'.repeat(bytes) } });
      if (token.length === length) return token;
    }
  }
  return expect.unreachable();
}

async function expectEnded({ app }: LogoutScene, page: Page): Promise<void> {
  expect(page.status).toBe(200);
  expect(page.text()).toBe('');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.setCookies).toEqual([]);
  expect(app.log.errors).toEqual([]);
  expect(await app.session()).toBeNull();
}

async function expectRefused({ app }: LogoutScene, page: Page, claim?: string): Promise<void> {
  expect([page.status, page.json()]).toEqual([400, { error: 'invalid_request' }]);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.setCookies).toEqual([]);
  expect(app.log.types()).toEqual(['LogoutTokenError']);
  expect(inspect(app.log.errors, { depth: 9 })).not.toContain('eyJ');
  if (claim !== undefined) expect(app.log.errors[0]?.cause).toMatchObject({ claim });
  expect(await app.session()).not.toBeNull();
}

describe('a logout token is accepted', () => {
  it.each<[string, IdTokenOverride]>([
    ['of a user', {}],
    ['of a session, without a user', claims({ sid: 's1', sub: undefined })],
    ['of a session and a user', claims({ sid: 's1' })],
    ['of type JWT', { header: { typ: 'JWT' } }],
    ['without a type', { header: { typ: undefined } }],
    ['without `exp`', claims({ exp: undefined })],
    ['for several audiences', claims({ aud: ['other', 'client'] })],
  ])('%s', async (_, override) => {
    const scene = await signedIn();
    await expectEnded(scene, await scene.logout(override));
  });

  it.each(['RS256', 'HS256', 'EdDSA'] as const)('signed with %s, as the ID tokens of the provider', async (alg) => {
    const scene = await signedIn({ provider: { signingAlgorithm: alg } });
    await expectEnded(scene, await scene.logout());
  });

  it.each([119, -119])('%s seconds off', async (off) => {
    const scene = await signedIn();
    const iat = seconds(scene) + off;
    await expectEnded(scene, await scene.logout(claims({ iat, exp: iat + 300 })));
  });

  it.each<[string, IdTokenOverride]>([
    ['another session of the provider', claims({ sid: 's2' })],
    ['another user', claims({ sub: 'grace' })],
  ])('of %s, and ends nothing', async (_, override) => {
    const scene = await signedIn();
    expect((await scene.logout(override)).status).toBe(200);
    expect(await scene.app.session()).not.toBeNull();
  });
});

describe('a request without a usable token is refused', () => {
  it.each<[string, (token: string) => Record<string, string>]>([
    ['without `logout_token`', () => ({})],
    ['with an empty token', () => ({ logout_token: '' })],
    ['with an encrypted token', (token) => ({ logout_token: `${token}.AAAA.AAAA` })],
    ['with a text', () => ({ logout_token: 'token' })],
  ])('%s', async (_, fields) => {
    const scene = await signedIn();
    await expectRefused(scene, await scene.post(fields(await scene.provider.logoutToken())));
  });

  it('with two tokens', async () => {
    const scene = await signedIn();
    const [one, two] = [await scene.provider.logoutToken(), await scene.provider.logoutToken()];
    const body = new URLSearchParams([
      ['logout_token', one],
      ['logout_token', two],
    ]);
    const page = await scene.app.visitor().open('/auth/logout/fake', { method: 'POST', body, site: 'cross-site' });
    await expectRefused(scene, page);
  });

  it('that is JSON', async () => {
    const scene = await signedIn();
    const body = JSON.stringify({ logout_token: await scene.provider.logoutToken() });
    const headers = { 'content-type': 'application/json' };
    const page = await scene.app.visitor().open('/auth/logout/fake', { method: 'POST', body, headers });
    await expectRefused(scene, page);
  });

  it.each([
    [16_384, 200],
    [16_385, 413],
  ])('with a body of %i bytes has the status %i', async (bytes, status) => {
    const scene = await signedIn();
    const token = await scene.provider.logoutToken();
    const rest = bytes - `logout_token=${token}&more=`.length;
    const page = await scene.post({ logout_token: token, more: 'a'.repeat(rest) });
    expect(page.status).toBe(status);
    expect((await scene.app.session()) === null).toBe(status === 200);
  });

  it.each([
    [8192, 200],
    [8193, 400],
  ])('with a token of %i characters has the status %i', async (length, status) => {
    const scene = await signedIn();
    const page = await scene.post({ logout_token: await tokenOf(scene, length) });
    expect(page.status).toBe(status);
  });
});

describe('a logout token is refused', () => {
  it.each<[string, IdTokenOverride, string | undefined]>([
    ['of another type', { header: { typ: 'at+jwt' } }, 'typ'],
    ['signed by another key', { sign: 'wrong-key' }, undefined],
    ['signed by a key of its own header', { sign: 'embedded-key' }, undefined],
    ['signed with the client secret', { sign: 'client-secret' }, undefined],
    ['signed with the text of the public key', { sign: 'public-key' }, undefined],
    ['of an algorithm that the metadata does not list', { sign: 'unlisted-algorithm' }, undefined],
    ['that is not signed', { sign: 'none' }, undefined],
    ['with an extension that it must understand', { header: { crit: ['b64x'], b64x: true } }, undefined],
    ['of another issuer', claims({ iss: 'https://other.test' }), undefined],
    ['without `iss`', claims({ iss: undefined }), 'iss'],
    ['for another client', claims({ aud: 'other' }), undefined],
    ['without `aud`', claims({ aud: undefined }), 'aud'],
    ['without `iat`', claims({ iat: undefined }), 'iat'],
    ['with an `iat` that is a text', claims({ iat: '1' }), undefined],
    ['without `jti`', claims({ jti: undefined }), 'jti'],
    ['with an empty `jti`', claims({ jti: '' }), 'jti'],
    ['with a `jti` that is a number', claims({ jti: 1 }), 'jti'],
    ['without `events`', claims({ events: undefined }), 'events'],
    ['with another event', claims({ events: { 'http://schemas.openid.net/event/other': {} } }), 'events'],
    ['with an event that is a text', claims({ events: { [EVENT]: 'yes' } }), 'events'],
    ['with a list of events', claims({ events: [EVENT] }), 'events'],
    ['with a nonce', claims({ nonce: 'n' }), 'nonce'],
    ['with an empty nonce', claims({ nonce: '' }), 'nonce'],
    ['without `sid` and `sub`', claims({ sub: undefined }), 'sid'],
    ['with a `sid` that is a number', claims({ sid: 1 }), 'sid'],
    ['with an empty `sid`', claims({ sid: '' }), 'sid'],
    ['with a `sub` that is a list', claims({ sub: ['ada-1815'] }), 'sub'],
  ])('%s', async (_, override, claim) => {
    const scene = await signedIn();
    await expectRefused(scene, await scene.logout(override), claim);
  });

  it.each([121, -121])('whose `iat` is %s seconds off', async (off) => {
    const scene = await signedIn();
    const iat = seconds(scene) + off;
    await expectRefused(scene, await scene.logout(claims({ iat, exp: iat + 300 })), 'iat');
  });

  it('that has expired', async () => {
    const scene = await signedIn();
    const now = seconds(scene);
    await expectRefused(scene, await scene.logout(claims({ iat: now - 60, exp: now - 31 })));
  });

  it('that is an ID token', async () => {
    const scene = await signedIn();
    const override = { header: { typ: 'JWT' }, claims: { events: undefined, jti: undefined, nonce: 'n' } };
    await expectRefused(scene, await scene.logout(override));
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://other.test' }],
    ['with an `exp` that is a text', { exp: 'soon' }],
  ])('%s, although the client secret has signed it, and `sub` is missing', async (_, changes) => {
    const scene = await signedIn({ provider: { signingAlgorithm: 'HS256' } });
    await expectRefused(scene, await scene.logout(claims({ sub: undefined, sid: 's1', ...changes })));
  });

  it('of another algorithm than the configuration names, although the metadata lists it', async () => {
    const { app, provider, post } = logoutScene();
    app.config.providers[0] = provider.provider({ client: { id_token_signed_response_alg: 'RS256' } });
    expect((await post({ logout_token: await provider.logoutToken() })).status).toBe(400);
  });

  it('of a provider that publishes no keys, which TLS does not protect here', async () => {
    const scene = logoutScene();
    scene.provider.misbehave({ discovery: { json: { jwks_uri: undefined } } });
    await scene.app.signIn();
    const page = await scene.logout();
    expect(page.status).toBe(400);
    expect(scene.app.log.errors.at(-1)?.message).toContain('signature');
    expect(await scene.app.session()).not.toBeNull();
  });

  it('signed with HS256, if the metadata lists it and the configuration does not', async () => {
    const scene = await signedIn();
    scene.provider.misbehave({
      discovery: { json: { id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'] } },
    });
    for (const sign of ['client-secret', 'public-key', 'none'] as const) {
      expect((await scene.logout({ sign })).status).toBe(400);
    }
    expect(await scene.app.session()).not.toBeNull();
  });

  it('while the metadata cannot be fetched, and accepted when the provider delivers it again', async () => {
    const scene = logoutScene();
    scene.provider.misbehave({ discovery: { status: 500 } });
    const token = await scene.provider.logoutToken();
    expect((await scene.post({ logout_token: token })).status).toBe(400);
    scene.provider.behave();
    expect((await scene.post({ logout_token: token })).status).toBe(200);
  });
});
