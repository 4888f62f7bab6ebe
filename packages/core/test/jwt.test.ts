import { describe, expect, it, vi } from 'vitest';
import { MissingSecret } from '../src/errors.ts';
import { decode, encode, getToken } from '../src/jwt.ts';
import type { JWT, JWTDecodeParams } from '../src/types/session.ts';
import { onEachEngine } from './crypto/engines.ts';
import { joseClaims } from './crypto/oracle.ts';

const salt = 'authjs.session-token';
const secret = 'secret';

describe('encode and decode', () => {
  onEachEngine(() => {
    it('issue and read a token that is valid for 30 days', async () => {
      const before = Math.floor(Date.now() / 1000);
      const token = await encode({ token: { name: 'Ada', role: 'admin' }, secret, salt });
      const claims = await decode<JWT & { role: string }>({ token, secret, salt });
      expect(claims).toMatchObject({ name: 'Ada', role: 'admin' });
      expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(30 * 24 * 60 * 60);
      expect(claims?.iat).toBeGreaterThanOrEqual(before);
      expect(claims?.iat).toBeLessThanOrEqual(Date.now() / 1000);
      expect(await joseClaims(token, secret, salt)).toEqual(claims);
    });

    it('accept `maxAge`, a list of secrets, and no claims', async () => {
      const token = await encode({ secret: ['new', 'old'], salt, maxAge: 60 });
      const claims = await decode({ token, secret: ['newest', 'new'], salt });
      expect(Object.keys(claims ?? {}).toSorted()).toEqual(['exp', 'iat', 'jti']);
      expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(60);
    });

    it('return null without a token, and throw one error for any invalid token', async () => {
      expect(await decode({ token: undefined, secret, salt })).toBeNull();
      expect(await decode({ token: '', secret, salt })).toBeNull();
      expect(await decode({ secret, salt })).toBeNull();
      const good = await encode({ secret, salt });
      const expired = await encode({ secret, salt, maxAge: -16 });
      for (const [token, by] of [
        ['x', secret],
        [good, 'other'],
        [expired, secret],
        [`${good}A`, secret],
      ] as const) {
        await expect(decode({ token, secret: by, salt })).rejects.toMatchObject({
          name: 'TokenError',
          message: 'the token is not valid',
        });
      }
    });

    it('refuse a token that would be longer than those that can be read, with its length', async () => {
      const token = { text: 'x'.repeat(90_000) };
      expect(await decode({ token: await encode({ token, secret, salt }), secret, salt })).toMatchObject(token);
      await expect(encode({ token: { text: 'x'.repeat(100_000) }, secret, salt })).rejects.toThrow(
        /^the token has 13\d{4} characters, and `decode` reads at most 131072\./,
      );
    });

    it('need a secret', async () => {
      for (const none of ['', []]) {
        await expect(encode({ secret: none, salt })).rejects.toThrow(TypeError);
      }
    });
  });
});

describe('getToken', () => {
  const request = (headers: HeadersInit): Request => new Request('https://app.example/', { headers });

  onEachEngine(() => {
    it('finds the session cookie of a request, a Headers object or a record', async () => {
      const token = await encode({ token: { sub: 'u1' }, secret, salt });
      const cookie = `a=b; ${salt}=${token}`;
      const sources = [
        request({ cookie }),
        { headers: new Headers({ cookie }) },
        { headers: { cookie } },
        { headers: { Cookie: cookie } },
        { headers: { ':method': 'GET', host: undefined, cookie: ['a=b', `${salt}=${token}`] } },
      ];
      for (const req of sources) {
        expect(await getToken({ req, secret })).toMatchObject({ sub: 'u1' });
        expect(await getToken({ req, raw: true })).toBe(token);
      }
    });

    it('tries each cookie of the name, and the chunks', async () => {
      const name = 'authjs.session-token';
      const token = await encode({ token: { sub: 'u1' }, secret, salt: name });
      for (const cookie of [
        `${name}=; ${name}=${token}`,
        `${name}=planted; ${name}=waste; ${name}=${token}`,
        `${name}=planted; ${name}.0=${token}`,
        `${name}.0=planted; ${name}.0=${token}`,
      ])
        expect(await getToken({ req: request({ cookie }), secret }), cookie).toMatchObject({ sub: 'u1' });
      const before = `${name}=x; `.repeat(40);
      expect(await getToken({ req: request({ cookie: `${before}${name}=${token}` }), secret })).not.toBeNull();
      const after = `; ${name}=x`.repeat(8);
      expect(await getToken({ req: request({ cookie: `${name}=x; ${name}=${token}${after}` }), secret })).toBeNull();
    });

    it('joins chunks and ignores cookies of similar names', async () => {
      const token = await encode({ token: { text: 'x'.repeat(5000) }, secret, salt });
      const parts = `${salt}.1=${token.slice(3936)}; ${salt}-x=1; ${salt}.0=${token.slice(0, 3936)}; ${salt}.x=2`;
      expect(await getToken({ req: request({ cookie: parts }), raw: true })).toBe(token);
      expect(await getToken({ req: request({ cookie: parts }), secret })).toHaveProperty('text');
    });

    it('uses `secureCookie`, `cookieName` and `salt`', async () => {
      const secure = `__Secure-${salt}`;
      const token = await encode({ secret, salt: secure });
      const req = request({ cookie: `${secure}=${token}` });
      expect(await getToken({ req, secret })).toBeNull();
      expect(await getToken({ req, secret, secureCookie: true })).not.toBeNull();
      expect(await getToken({ req, secret, cookieName: secure })).not.toBeNull();
      expect(await getToken({ req, secret, secureCookie: true, salt })).toBeNull();
      const renamed = request({ cookie: `sid=${token}` });
      expect(await getToken({ req: renamed, secret, cookieName: 'sid' })).toBeNull();
      expect(await getToken({ req: renamed, secret, cookieName: 'sid', salt: secure })).not.toBeNull();
    });

    it('reads a bearer token if there is no cookie', async () => {
      const token = await encode({ token: { sub: 'bearer' }, secret, salt });
      const other = await encode({ token: { sub: 'cookie' }, secret, salt });
      const authorization = `Bearer ${encodeURIComponent(token)}`;
      expect(await getToken({ req: request({ authorization }), secret })).toMatchObject({ sub: 'bearer' });
      expect(await getToken({ req: request({ authorization, cookie: `${salt}=` }), secret })).toMatchObject({
        sub: 'bearer',
      });
      expect(await getToken({ req: request({ authorization, cookie: `${salt}=${other}` }), secret })).toMatchObject({
        sub: 'cookie',
      });
    });

    it.each(['Bearer', 'Bearer ', 'Bearer %', 'Bearer %E0%A4%A', 'bearer x', 'Basic x', 'Bearer  x', ''])(
      'takes no token from %j',
      async (authorization) => {
        expect(await getToken({ req: { headers: { authorization } }, raw: true })).toBeNull();
        expect(await getToken({ req: { headers: { authorization } }, secret })).toBeNull();
      },
    );

    it('returns null for an invalid token', async () => {
      for (const cookie of [`${salt}=garbage`, `${salt}=%`, `${salt}=${await encode({ secret: 'other', salt })}`]) {
        expect(await getToken({ req: request({ cookie }), secret })).toBeNull();
      }
    });
  });

  it('returns null without a token, also without a secret', async () => {
    expect(await getToken({ req: request({}) })).toBeNull();
    expect(await getToken({ req: { headers: {} }, raw: true })).toBeNull();
  });

  it('throws without a request, and for a token without a secret', async () => {
    await expect(getToken({} as never)).rejects.toThrow('Must pass `req` to JWT getToken()');
    const req = request({ cookie: `${salt}=x` });
    for (const none of [undefined, '', []])
      await expect(getToken({ req, secret: none })).rejects.toThrow(MissingSecret);
    await expect(getToken({ req })).rejects.toThrow('Must pass `secret` if not set to JWT getToken()');
  });

  it('does not read the environment', async () => {
    vi.stubEnv('AUTH_SECRET', secret);
    try {
      await expect(getToken({ req: request({ cookie: `${salt}=x` }) })).rejects.toThrow(MissingSecret);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("uses the application's `decode`, and returns null if it throws", async () => {
    const read = vi.fn((params: JWTDecodeParams): JWT | null => ({ sub: params.token }));
    const req = request({ cookie: `${salt}=own` });
    expect(await getToken({ req, secret: ['a', 'b'], decode: read })).toEqual({ sub: 'own' });
    expect(read).toHaveBeenCalledWith({ token: 'own', secret: ['a', 'b'], salt });
    const failing = (): never => {
      throw new Error('no');
    };
    expect(await getToken({ req, secret, decode: failing })).toBeNull();
    expect(await getToken({ req, secret, decode: () => Promise.reject(new Error('no')) })).toBeNull();
  });
});
