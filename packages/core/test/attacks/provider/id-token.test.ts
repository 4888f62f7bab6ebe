import type { Change } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../../flows/scene.ts';

const seconds = (value: unknown): number => value as number;

/** Claims that are right but for one, and what becomes of them. The skew is 30 seconds. */
const claims: [string, Change, boolean][] = [
  ['expired 20 seconds ago', ({ iat, ...rest }) => ({ ...rest, iat, exp: seconds(iat) - 20 }), true],
  ['expired 40 seconds ago', ({ iat, ...rest }) => ({ ...rest, iat, exp: seconds(iat) - 40 }), false],
  ['valid in 20 seconds', ({ iat, ...rest }) => ({ ...rest, iat, nbf: seconds(iat) + 20 }), true],
  ['valid in 40 seconds', ({ iat, ...rest }) => ({ ...rest, iat, nbf: seconds(iat) + 40 }), false],
  ['issued in 40 seconds', ({ iat, ...rest }) => ({ ...rest, iat: seconds(iat) + 40 }), false],
  ['nbf as text', ({ iat, ...rest }) => ({ ...rest, iat, nbf: String(iat) }), false],
  ['iat as text', ({ iat, ...rest }) => ({ ...rest, iat: String(iat) }), false],
  ['iss as list', ({ iss, ...rest }) => ({ ...rest, iss: [iss] }), false],
  ['iss in capitals', ({ iss, ...rest }) => ({ ...rest, iss: String(iss).toUpperCase() }), false],
  ['aud as object', ({ aud, ...rest }) => ({ ...rest, aud: { aud } }), false],
  ['aud as empty list', { aud: [] }, false],
  ['aud in capitals', ({ aud, ...rest }) => ({ ...rest, aud: String(aud).toUpperCase() }), false],
  ['sub as list', ({ sub, ...rest }) => ({ ...rest, sub: [sub] }), false],
  ['nonce as list', ({ nonce, ...rest }) => ({ ...rest, nonce: [nonce] }), false],
  ['nonce in capitals', ({ nonce, ...rest }) => ({ ...rest, nonce: String(nonce).toUpperCase() }), false],
  ['at_hash of no text', { at_hash: true }, false],
  ['at_hash empty', { at_hash: '' }, false],
  ['c_hash of no text', { c_hash: null }, false],
  ['c_hash empty', { c_hash: '' }, false],
];

describe.each(doors)('an ID token, through $name', (door) => {
  it('that a plain provider sends unasked is judged as well where the issuer is known', async () => {
    const fake = fakeProvider();
    const authorization = { url: fake.endpoints.authorization, params: { scope: 'openid' } };
    const client = { id_token_signed_response_alg: 'ES256' };
    const app = scene(door, { providers: [oauth(fake, { issuer: fake.issuer, authorization, client })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    fake.misbehave({ idToken: { claims: { iss: 'https://impostor.test' } } });
    const browser = app.visitor();
    expectRefused(app, await app.signIn(fake, { id: 'plain', browser }), 'OAuthCallbackError', browser);
  });

  it.each(claims)('with the claim "%s" is judged by the standard (%#)', async (_, change, accepted) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'nonce'] })] });
    fake.misbehave({ idToken: { claims: change } });
    const page = await app.signIn(fake);
    if (accepted) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'OAuthCallbackError');
  });

  it('names the code it came with: the right `c_hash` is accepted, that of another code is not', async () => {
    for (const right of [true, false]) {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
      const back = await fake.authorize((await app.begin()).location ?? '');
      const code = right ? (new URL(back).searchParams.get('code') ?? '') : 'another-code';
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
      const c_hash = Buffer.from(digest).subarray(0, 16).toString('base64url');
      fake.misbehave({ idToken: { claims: { c_hash } } });
      expect(startsSession(await app.finish(back))).toBe(right);
    }
  });

  it('that is encrypted is refused: nobody has agreed on a key', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ idToken: { token: (token) => `${token}.AAAA.AAAA` } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('that was issued for one sign-in opens no other one', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'nonce'] })] });
    let first: string | undefined;
    fake.misbehave({ idToken: { token: (token) => (first ??= token) } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const stranger = app.visitor();
    expectRefused(app, await app.signIn(fake, { browser: stranger }), 'OAuthCallbackError', stranger);
  });
});
