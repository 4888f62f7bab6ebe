import { Auth, type AuthConfig } from '@latchkey/core';
import { encode } from '@latchkey/core/jwt';
import { compactDecrypt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { peer } from '../peers/libraries.ts';
import { hex, sample, vectors } from './vectors.ts';

const token = 'a'.repeat(64);

/** Does the browser with this CSRF cookie keep it? */
async function keepsCookie(
  auth: (request: Request, config: object) => Promise<Response>,
  secret: string | string[],
  hash: string,
): Promise<boolean> {
  const headers = { cookie: `authjs.csrf-token=${token}%7C${hash}` };
  const answer = await auth(new Request('http://localhost:3000/auth/csrf', { headers }), {
    secret,
    trustHost: true,
    providers: [],
    logger: { warn: () => undefined },
  });
  return ((await answer.json()) as { csrfToken: string }).csrfToken === token;
}

const ours = (request: Request, config: object): Promise<Response> => Auth(request, config as Omit<AuthConfig, 'raw'>);

describe('test vectors of Auth.js v5', () => {
  it.each([
    ['authjs.session-token', vectors.key, vectors.kid],
    ['__Secure-authjs.session-token', vectors.secureKey, vectors.secureKid],
  ])('a token for %s is sealed with the agreed key and names it', async (salt, key, kid) => {
    const text = await encode({ token: { sub: 'u1' }, secret: 'secret', salt });
    expect(decodeProtectedHeader(text)).toEqual({ alg: 'dir', enc: 'A256CBC-HS512', kid });
    expect(JSON.parse(new TextDecoder().decode((await compactDecrypt(text, hex(key))).plaintext))).toMatchObject({
      sub: 'u1',
    });
  });

  it('the sample session is read from its cookie', async () => {
    const headers = { cookie: `authjs.session-token=${sample}` };
    const config = { secret: 'secret', trustHost: true, providers: [], logger: { warn: () => undefined } };
    const answer = await ours(new Request('http://localhost:3000/auth/session', { headers }), config);
    expect(await answer.json()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } });
  });

  it('a CSRF cookie with the agreed hash is accepted, and kept', async () => {
    for (const auth of [ours, peer.auth]) {
      expect(await keepsCookie(auth, 'secret', vectors.csrfHash)).toBe(true);
      expect(await keepsCookie(auth, ['k1', 'k2'], vectors.csrfHashOfList)).toBe(true);
      expect(await keepsCookie(auth, 'secret', vectors.csrfHash.replace('9', '8'))).toBe(false);
      expect(await keepsCookie(auth, 'other', vectors.csrfHash)).toBe(false);
    }
  });
});
