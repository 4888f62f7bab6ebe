import * as latchkey from '@latchkey/core/jwt';
import { CompactEncrypt, calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { authjs } from '../peers/authjs.ts';
import { hex, sample, vectors } from './vectors.ts';

const salt = 'authjs.session-token';
const secret = 'a secret that both servers know, 32+';
const claims = { name: 'Ada Löwelace', email: 'ada@example.com', picture: null, sub: 'u1', roles: ['a', 'b'] };

interface Maker {
  readonly name: string;
  encode(params: object): Promise<string>;
  decode(params: object): Promise<Record<string, unknown> | null>;
  getToken(params: object): Promise<unknown>;
}
const ours: Maker = { name: 'Latchkey', ...(latchkey as unknown as Omit<Maker, 'name'>) };
const theirs: Maker = { name: 'Auth.js', ...authjs.jwt };
const directions = [
  { from: theirs, to: ours, title: 'made by Auth.js and read by Latchkey' },
  { from: ours, to: theirs, title: 'made by Latchkey and read by Auth.js' },
];

describe.each(directions)('a token $title', ({ from, to }) => {
  it('keeps its claims', async () => {
    const token = await from.encode({ token: claims, secret, salt });
    expect(await to.decode({ token, secret, salt })).toMatchObject(claims);
  });

  it('keeps its lifetime', async () => {
    const token = await from.encode({ token: claims, secret, salt, maxAge: 60 });
    const read = await to.decode({ token, secret, salt });
    expect(Number(read?.['exp']) - Number(read?.['iat'])).toBe(60);
    expect(read?.['jti']).toMatch(/^[\da-f-]{36}$/);
  });

  it('is sealed by the first secret of a list and opened wherever that secret stands', async () => {
    const token = await from.encode({ token: claims, secret: ['new'.repeat(11), secret], salt });
    for (const list of [['new'.repeat(11)], [secret, 'new'.repeat(11)], ['other', secret, 'new'.repeat(11)]]) {
      expect(await to.decode({ token, secret: list, salt })).toMatchObject(claims);
    }
  });

  it('is refused under another secret, under another salt, and after its time', async () => {
    const token = await from.encode({ token: claims, secret, salt });
    await expect(to.decode({ token, secret: 'another', salt })).rejects.toThrow();
    await expect(to.decode({ token, secret, salt: 'another' })).rejects.toThrow();
    const old = await from.encode({ token: claims, secret, salt, maxAge: -60 });
    await expect(to.decode({ token: old, secret, salt })).rejects.toThrow();
  });

  it('is found in a cookie, in chunks of a cookie, and in the Authorization header', async () => {
    const token = await from.encode({ token: { ...claims, long: 'x'.repeat(6000) }, secret, salt });
    const half = Math.ceil(token.length / 3);
    const chunks = [2, 0, 1].map((index) => `${salt}.${index}=${token.slice(index * half, (index + 1) * half)}`);
    for (const headers of [
      { cookie: `theme=dark; ${salt}=${token}` },
      { cookie: chunks.join('; ') },
      { authorization: `Bearer ${encodeURIComponent(token)}` },
    ]) {
      for (const form of [headers, new Headers(headers)]) {
        expect(await to.getToken({ req: { headers: form }, secret })).toMatchObject(claims);
        expect(await to.getToken({ req: { headers: form }, raw: true })).toBe(token);
      }
    }
  });

  it('is found under the name for https', async () => {
    const name = `__Secure-${salt}`;
    const token = await from.encode({ token: claims, secret, salt: name });
    const req = new Request('https://app.test/', { headers: { cookie: `${name}=${token}` } });
    expect(await to.getToken({ req, secret, secureCookie: true })).toMatchObject(claims);
    expect(await to.getToken({ req, secret })).toBeNull();
  });

  it('is found under a name and a salt that the application chose', async () => {
    const token = await from.encode({ token: claims, secret, salt: 'pepper' });
    const req = { headers: { cookie: `sid=${token}` } };
    expect(await to.getToken({ req, secret, cookieName: 'sid', salt: 'pepper' })).toMatchObject(claims);
    expect(await to.getToken({ req, secret, cookieName: 'sid' })).toBeNull();
  });
});

describe('the two libraries agree', () => {
  it('on the header of a token, byte by byte', async () => {
    const [one, other] = await Promise.all(
      [ours, theirs].map((maker) => maker.encode({ token: claims, secret, salt })),
    );
    expect(one?.split('.')[0]).toBe(other?.split('.')[0]);
    expect(one?.split('.').map((part) => part.length)).toEqual(other?.split('.').map((part) => part.length));
  });

  it('on an empty text, which holds no token', async () => {
    for (const maker of [ours, theirs]) {
      expect(await maker.decode({ token: '', secret, salt })).toBeNull();
      expect(await maker.decode({ secret, salt })).toBeNull();
      expect(await maker.getToken({ req: { headers: {} }, secret })).toBeNull();
    }
  });

  it('on no token for a Bearer value with broken percent-encoding', async () => {
    for (const maker of [ours, theirs]) {
      expect(await maker.getToken({ req: { headers: { authorization: 'Bearer %' } }, secret })).toBeNull();
    }
  });

  it('on an error for a missing secret, and none when the text alone is asked for', async () => {
    const req = { headers: { cookie: `${salt}=x` } };
    for (const maker of [ours, theirs]) {
      await expect(maker.getToken({ req })).rejects.toMatchObject({ type: 'MissingSecret' });
      expect(await maker.getToken({ req, raw: true })).toBe('x');
    }
  });

  it('on reading the sample token', async () => {
    for (const maker of [ours, theirs]) {
      expect(await maker.decode({ token: sample, secret: 'secret', salt })).toMatchObject({
        name: 'Ada',
        email: 'ada@example.com',
        picture: null,
        sub: 'u1',
      });
    }
  });
});

describe('an A256GCM token', () => {
  const key = hex(vectors.gcmKey);
  const make = (header: object = {}): Promise<string> =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ sub: 'u1', exp: Math.floor(Date.now() / 1000) + 60 })))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...header })
      .encrypt(key);

  it('without a kid is read by both with its secret first in the list', async () => {
    const token = await make();
    for (const maker of [ours, theirs]) {
      expect(await maker.decode({ token, secret: ['secret', 'another'], salt: 's' })).toMatchObject({ sub: 'u1' });
    }
  });

  it('with a kid is read by both wherever its secret stands', async () => {
    const k = Buffer.from(key).toString('base64url');
    const token = await make({ kid: await calculateJwkThumbprint({ kty: 'oct', k }, 'sha256') });
    for (const maker of [ours, theirs]) {
      expect(await maker.decode({ token, secret: ['another', 'secret'], salt: 's' })).toMatchObject({ sub: 'u1' });
    }
  });

  it('without a kid is read by Latchkey with each secret of the list', async () => {
    const token = await make();
    expect(await ours.decode({ token, secret: ['another', 'secret'], salt: 's' })).toMatchObject({ sub: 'u1' });
  });
});
