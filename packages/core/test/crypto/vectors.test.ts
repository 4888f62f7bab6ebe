import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { engine } from '../../src/crypto/engine.ts';
import { sha256Hex } from '../../src/crypto/hash.ts';
import { gcmOpeningKey, open, sealingKey, TokenError } from '../../src/crypto/seal.ts';
import { onEachEngine } from './engines.ts';
import { joseToken, rawKey, thumbprint } from './oracle.ts';

const now = new Date('2026-11-21T12:00:00Z');

const keys = [
  {
    salt: 'authjs.session-token',
    hex: 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb',
    kid: '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
  },
  {
    salt: '__Secure-authjs.session-token',
    hex: '0d8bf2d720367891eda6b7cc8f1960cf3fac4c0e5972e05c0ea71f835d01d69a60b8d258a71a473d46b0eec5ed3dfe45a7bcfbe54ccfa14f50206f3af0f777f5',
    kid: '7E3YIGAxRtn6djTGy1UjZrFvXELHKzM9vfWl0nQ4b88EsnrmmX0grN0VKis7G3fjgB626TXm_lEtBG1N0E7Xyg',
  },
];
const gcmHex = 'cef8130632fdff167285b0f5f9e63e877e7dcb3f59890cd81ea59d19a437c3e9';

const sample =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..QWtv9lM3PVwG7Ktdc0_lxQ.eYI89qHg_SQdYNtALCBqRAH-SpNf1iSDGgDzEdlPH_oXS72n2-8qRwPqZ1LAAHibrXEvEfrUCvXr90YX_rkAq8VOsradsvlqKCb2lEjnU2RYDY5yfqOF_CBvjMK0WX-I9TRLKOUpfIwhqOo1n20Rx92ML0-6nwlP6E3tCZTFcPhCzTeg_d2zEYwqdFLp7FqqXBSu2QghUgLNqkGCGlEylw.T6YJL9PClsHwX8zaZgHRlYthS5EXp37l6Utd0wQPlWw';

const info = (salt: string): string => `Auth.js Generated Encryption Key (${salt})`;

describe('values computed by @auth/core 0.41.3', () => {
  onEachEngine(() => {
    it.each(keys)('derive the key of $salt and its kid', async ({ salt, hex, kid }) => {
      const bytes = await (await engine()).hkdf('secret', salt, info(salt), 64);
      expect(Buffer.from(bytes).toString('hex')).toBe(hex);
      expect((await sealingKey('secret', salt)).kid).toBe(kid);
    });

    it('have the same header, character by character', async () => {
      const { header } = await sealingKey('secret', 'authjs.session-token');
      expect(header).toBe(sample.slice(0, sample.indexOf('.')));
      expect(header).toHaveLength(174);
    });

    it('derive the key of 32 bytes for A256GCM', async () => {
      const bytes = await (await engine()).hkdf('secret', 's', info('s'), 32);
      expect(Buffer.from(bytes).toString('hex')).toBe(gcmHex);
      expect((await gcmOpeningKey('secret', 's')).kid).toBe(thumbprint(rawKey('secret', 's', 32)));
    });

    it('hash a CSRF token with the secret', async () => {
      const token = 'a'.repeat(64);
      expect(await sha256Hex(`${token}secret`)).toBe(
        '903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c',
      );
      expect(await sha256Hex(token + String(['k1', 'k2']))).toBe(
        'e48c40a71473c07bd819748b49f739d81043ff7e5434d04c083141520706ace7',
      );
    });

    it('include a session token, which opens wherever its secret is in the list', async () => {
      const salt = 'authjs.session-token';
      for (const secrets of [['secret'], ['newer', 'secret'], ['secret', 'older']]) {
        expect(await open(sample, { secrets, salt, now })).toMatchObject({
          name: 'Ada',
          email: 'ada@example.com',
          picture: null,
          sub: 'u1',
        });
      }
      await expect((async () => open(sample, { secrets: ['other'], salt, now }))()).rejects.toThrow(TokenError);
    });

    it('allow an A256GCM token without kid, by the first secret and by the second', async () => {
      const token = await joseToken({ a: 1 }, { secret: 'secret', salt: 's', enc: 'A256GCM', header: {} });
      expect(await open(token, { secrets: ['secret'], salt: 's', now })).toEqual({ a: 1 });
      expect(await open(token, { secrets: ['newer', 'secret'], salt: 's', now })).toEqual({ a: 1 });
    });
  });
});
