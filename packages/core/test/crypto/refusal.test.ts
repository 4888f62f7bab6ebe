import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { LONGEST_TOKEN, open, seal, TokenError } from '../../src/crypto/seal.ts';
import { onEachEngine } from './engines.ts';
import { handSealed, joseToken, joseTokenWithCrit, rawKey, thumbprint } from './oracle.ts';

const now = new Date('2026-11-21T12:00:00Z');
const salt = 'authjs.session-token';
const sealing = { secrets: ['one', 'two'], salt, maxAge: 60, now };

async function rejection(token: string, opening = sealing): Promise<unknown> {
  try {
    await open(token, opening);
  } catch (error) {
    return error;
  }
  return undefined;
}

async function expectRejection(token: string, opening = sealing): Promise<void> {
  const error = await rejection(token, opening);
  expect(error, token.slice(0, 400)).toBeInstanceOf(TokenError);
  expect((error as Error).message).toBe('the token is not valid');
  expect((error as Error).cause).toBeUndefined();
  expect(Object.keys(error as Error).filter((key) => key !== 'name')).toEqual([]);
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Yields every token that differs from `token` in one bit of one byte of a decoded segment. */
function* bitFlips(token: string): Generator<string> {
  const segments = token.split('.');
  for (const [index, segment] of segments.entries()) {
    const bytes = Buffer.from(segment, 'base64url');
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] as number) ^ (1 << (place % 8));
      yield segments.with(index, changed.toString('base64url')).join('.');
    }
  }
}

describe('a token with wrong padding and a correct MAC', () => {
  const header = JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid: thumbprint(rawKey('one', salt, 64)) });
  // 14 characters, so that two bytes of padding complete the block.
  const text = JSON.stringify({ name: 'Ada' }).padEnd(14);
  const padded = (padding: number[]): string => handSealed(header, text, { secret: 'one', salt }, padding);

  onEachEngine(() => {
    it('opens with correct padding, also of a whole block', async () => {
      expect(await open(padded([2, 2]), sealing)).toEqual({ name: 'Ada' });
      expect(
        await open(handSealed(header, text.padEnd(16), { secret: 'one', salt }, Array(16).fill(16)), sealing),
      ).toEqual({
        name: 'Ada',
      });
    });

    it.each([
      ['padding of no length', [0, 0]],
      ['one byte of two wrong', [1, 2]],
      ['longer than a block', Array<number>(18).fill(18)],
      ['longer than the plaintext', [32, 32]],
      ['text in place of padding', [32, 125]],
    ])('is rejected: %s', async (_, padding) => {
      await expectRejection(padded(padding));
    });
  });
});

describe('a token whose plaintext is not UTF-8', () => {
  onEachEngine(() => {
    it.each([
      ['a byte that begins no character', 0xff],
      ['a character without its second byte', 0xc3],
    ])('is rejected: %s', async (_, byte) => {
      const header = JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid: thumbprint(rawKey('one', salt, 64)) });
      const sealed = (last: number): string =>
        handSealed(header, '{"a":"', { secret: 'one', salt }, [last, 0x22, 0x7d, ...Array<number>(7).fill(7)]);
      expect(await open(sealed(0x78), sealing)).toEqual({ a: 'x' });
      await expectRejection(sealed(byte));
    });
  });
});

describe('an empty secret among others', () => {
  onEachEngine(() => {
    it('is an error on each call, also if the key of another secret is cached', async () => {
      const token = await seal({ name: 'Ada' }, sealing);
      expect(await open(token, sealing)).toMatchObject({ name: 'Ada' });
      for (const secrets of [
        ['', 'one'],
        ['two', '', 'one'],
      ])
        expect(await rejection(token, { ...sealing, secrets }), secrets.join()).toBeInstanceOf(TypeError);
    });
  });
});

describe('a changed token', () => {
  onEachEngine((kind) => {
    it('is rejected for a change in any byte of any segment, before decryption', async () => {
      const token = await seal({ name: 'Ada', email: 'ada@example.com' }, sealing);
      const decryptions =
        kind === 'node'
          ? vi.spyOn(createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto'), 'createDecipheriv')
          : vi.spyOn(crypto.subtle, 'decrypt');
      let tried = 0;
      for (const changed of bitFlips(token)) {
        expect(await rejection(changed), changed).toBeInstanceOf(TokenError);
        tried++;
      }
      expect(tried).toBeGreaterThan(300);
      expect(decryptions).not.toHaveBeenCalled();
      await open(token, sealing);
      expect(decryptions).toHaveBeenCalledOnce();
      decryptions.mockRestore();
    });

    it('is rejected with A256GCM, too', async () => {
      const token = await joseToken({ name: 'Ada' }, { secret: 'one', salt, enc: 'A256GCM' });
      for (const changed of bitFlips(token)) expect(await rejection(changed), changed).toBeInstanceOf(TokenError);
    });

    it('is rejected if truncated, extended, or without one of its segments', async () => {
      const token = await seal({}, sealing);
      const [header, , iv, ciphertext, tag] = token.split('.') as [string, string, string, string, string];
      const wrong = [
        '',
        '.',
        '....',
        'null',
        header,
        `${header}..${iv}.${ciphertext}`,
        `${header}..${iv}.${ciphertext}.`,
        `${header}...${ciphertext}.${tag}`,
        `${header}..${iv}..${tag}`,
        `..${iv}.${ciphertext}.${tag}`,
        `${header}.AA.${iv}.${ciphertext}.${tag}`,
        `${header}.${iv}.${ciphertext}.${tag}`,
        `${token}.`,
        `${token}.${tag}`,
        `${token}A`,
        `${token}=`,
        `${token}\n`,
        ` ${token}`,
        token.slice(1),
        token.slice(0, -1),
        token.replace('..', '. .'),
        token.replaceAll('.', '%2E'),
        `${header}..${iv}.${ciphertext.slice(0, -22)}.${tag}`,
        `${header}..${iv}.${ciphertext.slice(0, -1)}.${tag}`,
        `${header}..${iv.slice(0, 16)}.${ciphertext}.${tag.slice(0, 22)}`,
        `${header}..${iv}.${ciphertext}.${tag.slice(0, 22)}`,
      ];
      for (const text of wrong) await expectRejection(text);
    });

    it('is rejected quickly if longer than the limit', async () => {
      const token = await seal({ text: 'x'.repeat(LONGEST_TOKEN) }, sealing);
      await expectRejection(token);
      await expectRejection('A'.repeat(10_000_000));
      await expectRejection(`${'A'.repeat(60_000)}..${'.'.repeat(60_000)}`);
    });
  });
});

describe('a token with another purpose or another header', () => {
  onEachEngine(() => {
    it('can be encoded in two ways, so that only its jti identifies it', async () => {
      const token = await seal({}, sealing);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const twin = token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) ^ 1];
      expect((await open(twin, sealing)).jti).toBe((await open(token, sealing)).jti);
    });

    it('does not open under another salt or secret', async () => {
      const token = await seal({}, sealing);
      for (const other of ['__Secure-authjs.session-token', 'authjs.state', '', `${salt} `]) {
        await expectRejection(token, { ...sealing, salt: other });
      }
      await expectRejection(token, { ...sealing, secrets: ['One', 'one '] });
    });

    it('does not open with the kid of one secret and the key of another', async () => {
      const kid = thumbprint(rawKey('one', salt, 64));
      await expectRejection(await joseToken({}, { secret: 'two', salt, header: { kid } }));
      await expectRejection(await joseToken({}, { secret: 'one', salt, header: { kid: 'unknown' } }));
      await expectRejection(await joseToken({}, { secret: 'one', salt, header: { kid: 7 } }));
      await expectRejection(await joseToken({}, { secret: 'one', salt, header: { kid: null } }));
      await expectRejection(await joseToken({}, { secret: 'one', salt, header: { kid: '' } }));
    });

    it('opens with further members and another order in its header', async () => {
      const kid = thumbprint(rawKey('one', salt, 64));
      const wholeHeader = { typ: 'JWT', kid, enc: 'A256CBC-HS512', cty: 'x', alg: 'dir' };
      expect(await open(await joseToken({ a: 1 }, { secret: 'one', salt, wholeHeader }), sealing)).toEqual({ a: 1 });
    });

    it('is rejected if the header demands an unsupported feature', async () => {
      const making = { secret: 'one', salt };
      const right = { alg: 'dir', enc: 'A256CBC-HS512' };
      expect(await open(handSealed(JSON.stringify(right), '{"a":1}', making), sealing)).toEqual({ a: 1 });
      const headers: unknown[] = [
        {},
        [],
        null,
        'text',
        '{',
        '{"alg":"dir"',
        ...[
          ...'none HS256 A256KW PBES2-HS256+A128KW ECDH-ES RSA-OAEP DIR'.split(' '),
          '',
          null,
          ['dir'],
          undefined,
        ].map((alg) => ({ ...right, alg, p2c: 2 ** 31, p2s: 'AAAA' })),
        ...[...'A128CBC-HS256 A192CBC-HS384 A128GCM A192GCM none'.split(' '), '', null, {}, undefined].map((enc) => ({
          ...right,
          enc,
        })),
        { ...right, zip: 'DEF' },
        { ...right, zip: null },
        { ...right, crit: ['exp'] },
        { ...right, crit: [] },
        { ...right, enc: 'A256GCM' },
        '{"__proto__":{"alg":"dir"},"enc":"A256CBC-HS512"}',
      ];
      for (const header of headers) {
        const text = typeof header === 'string' ? header : JSON.stringify(header);
        await expectRejection(handSealed(text, '{"a":1}', making));
      }
    });

    it('is rejected with critical extensions (RFC 7515 §4.1.11), also if made by jose', async () => {
      await expectRejection(await joseTokenWithCrit({}, { secret: 'one', salt }));
    });

    it.each(['', 'null', '[]', '1', '"x"', '{', '[{"sub":"u1"}]', 'undefined'])(
      'is rejected if its plaintext is %j',
      async (text) => {
        await expectRejection(await joseToken(text, { secret: 'one', salt }));
      },
    );

    it('is rejected if it is a JWS', async () => {
      for (const alg of ['none', 'HS256']) {
        await expectRejection(`${encode({ alg })}.${encode({ sub: 'u1' })}.`);
        await expectRejection(`${encode({ alg })}.${encode({ sub: 'u1' })}.${'A'.repeat(43)}`);
      }
    });

    it('has claims that cannot change a prototype', async () => {
      const claims = await open(await joseToken('{"__proto__":{"admin":true}}', { secret: 'one', salt }), sealing);
      expect(claims.admin).toBeUndefined();
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
    });
  });
});
