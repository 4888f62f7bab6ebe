import nodeCrypto from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { switchEngine } from '../../src/crypto/engine.ts';
import type { EngineKind } from '../../src/crypto/engine-web.ts';
import { open, seal } from '../../src/crypto/seal.ts';
import { kinds, onEachEngine } from './engines.ts';
import { joseClaims, joseToken } from './oracle.ts';

const now = new Date('2026-11-21T12:00:00.900Z');
const iat = Date.parse('2026-11-21T12:00:00Z') / 1000;
const salt = 'authjs.session-token';
const sealing = { secrets: ['one', 'two'], salt, maxAge: 60, now };

describe('seal', () => {
  onEachEngine(() => {
    it('makes a token that jose opens with the first secret', async () => {
      const claims = await joseClaims(await seal({ name: 'Ada', nothing: null }, sealing), 'one', salt);
      expect(claims).toMatchObject({ name: 'Ada', nothing: null, iat, exp: iat + 60 });
      expect(claims.jti).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    });

    it('replaces iat, exp and jti, and does not change the given object', async () => {
      const claims = Object.freeze({ iat: 1, exp: 2, jti: 'mine', sub: 'u1' });
      const opened = await open(await seal(claims, sealing), sealing);
      expect(opened).toMatchObject({ iat, exp: iat + 60, sub: 'u1' });
      expect(opened.jti).not.toBe('mine');
    });

    it.each([0, 1, 15, 16, 17, 700, 60_000])('keeps a text of %i bytes, in any script', async (length) => {
      for (const text of ['x'.repeat(length), '€'.repeat(Math.ceil(length / 3)), '😀'.repeat(Math.ceil(length / 4))]) {
        const token = await seal({ text }, sealing);
        expect((await open(token, sealing)).text).toBe(text);
        expect((await joseClaims(token, 'one', salt)).text).toBe(text);
      }
    });

    it('opens a text with a character that spans two blocks', async () => {
      for (let length = 0; length < 16; length++) {
        const claims = { text: `${'x'.repeat(length)}😀€😀` };
        expect(await open(await joseToken(claims, { secret: 'one', salt }), sealing)).toEqual(claims);
      }
    });

    it('makes a different token and IV each time', async () => {
      const tokens = await Promise.all(Array.from({ length: 600 }, () => seal({}, sealing)));
      expect(new Set(tokens).size).toBe(600);
      expect(new Set(tokens.map((token) => token.split('.')[2])).size).toBe(600);
    });

    it('draws the random bytes of an IV from the runtime for each token, none ahead', async () => {
      const onNode = vi.spyOn(nodeCrypto, 'randomFillSync');
      const onWeb = vi.spyOn(crypto, 'getRandomValues');
      await seal({}, sealing);
      await seal({}, sealing);
      const drawn = [...onNode.mock.calls, ...onWeb.mock.calls].map(([bytes]) => (bytes as Uint8Array).byteLength);
      vi.restoreAllMocks();
      expect(drawn).toEqual([16, 16]);
    });

    it('opens a token of jose', async () => {
      expect(await open(await joseToken({ sub: 'u1' }, { secret: 'two', salt }), sealing)).toEqual({ sub: 'u1' });
    });

    it('needs a secret', async () => {
      for (const secrets of [[], ['']]) {
        await expect((async () => seal({}, { ...sealing, secrets }))()).rejects.toThrow(TypeError);
      }
    });
  });

  const pairs = kinds.flatMap((maker) => kinds.map((reader): [EngineKind, EngineKind] => [maker, reader]));
  it.each(pairs)('on the %s engine makes tokens that the %s engine opens', async (maker, reader) => {
    switchEngine(maker);
    const token = await seal({ name: 'Åda 😀' }, sealing);
    switchEngine(reader);
    expect((await open(token, sealing)).name).toBe('Åda 😀');
    switchEngine(undefined);
  });
});

describe('secrets in rotation', () => {
  onEachEngine(() => {
    it('opens with any of the list, but not with a removed one', async () => {
      const old = await seal({ n: 1 }, { ...sealing, secrets: ['old'] });
      const secrets = ['newest', 'newer', 'old'];
      expect((await open(old, { ...sealing, secrets })).n).toBe(1);
      expect((await open(await seal({ n: 2 }, { ...sealing, secrets }), { ...sealing, secrets: ['newest'] })).n).toBe(
        2,
      );
      await expect((async () => open(old, { ...sealing, secrets: ['newest', 'newer'] }))()).rejects.toThrow(
        'not valid',
      );
    });

    it('tries every secret for a token without kid', async () => {
      for (const enc of ['A256CBC-HS512', 'A256GCM'] as const) {
        const token = await joseToken({ n: 3 }, { secret: 'old', salt, enc, header: {} });
        expect((await open(token, { ...sealing, secrets: ['newest', 'newer', 'old'] })).n).toBe(3);
      }
    });

    it('reads A256GCM with the secret that its kid names', async () => {
      const token = await joseToken({ n: 4 }, { secret: 'old', salt, enc: 'A256GCM' });
      expect((await open(token, { ...sealing, secrets: ['newest', 'old'] })).n).toBe(4);
    });
  });
});

describe('the clock', () => {
  const at = (seconds: number): Date => new Date((iat + seconds) * 1000);

  onEachEngine(() => {
    it.each([
      [{ exp: iat }, 14, true],
      [{ exp: iat }, 15, false],
      [{ exp: iat }, 3600, false],
      [{ nbf: iat }, -15, true],
      [{ nbf: iat }, -16, false],
      [{ exp: iat + 60, nbf: iat }, 0, true],
      [{}, 1e9, true],
      [{ exp: 'never' }, 0, false],
      [{ exp: null }, 0, false],
      [{ nbf: '0' }, 0, false],
      [{ iat: '0' }, 0, false],
    ])('tests %j after %i s: %s', async (claims, seconds, good) => {
      const token = await joseToken(claims, { secret: 'one', salt });
      const opened = (async () => open(token, { ...sealing, now: at(seconds) }))();
      await (good ? expect(opened).resolves.toEqual(claims) : expect(opened).rejects.toThrow('not valid'));
    });

    it('rejects a token with an expiry if the time is an Invalid Date', async () => {
      const token = await seal({}, sealing);
      const broken = { ...sealing, now: new Date(Number.NaN) };
      await expect((async () => open(token, broken))()).rejects.toThrow('not valid');
      await expect((async () => open(await seal({}, broken), sealing))()).rejects.toThrow('not valid');
    });

    it('is the given instant, not the system clock', async () => {
      vi.useFakeTimers({ now: 0, toFake: ['Date'] });
      try {
        expect(await open(await seal({}, sealing), sealing)).toMatchObject({ iat });
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
