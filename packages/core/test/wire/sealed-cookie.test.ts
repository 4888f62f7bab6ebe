import { describe, expect, it } from 'vitest';
import { expireCookie } from '../../src/wire/cookie.ts';
import { cookieTable } from '../../src/wire/cookie-table.ts';
import { openCookie, sealCookie } from '../../src/wire/sealed-cookie.ts';
import { onEachEngine } from '../crypto/engines.ts';
import { joseClaims } from '../crypto/oracle.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const sealing = { secrets: ['one', 'two'], maxAge: 900, now };
const { state, nonce, pkceCodeVerifier } = cookieTable(true);

describe('a sealed cookie', () => {
  onEachEngine(() => {
    it('carries its payload, sealed under its own name, until it expires', async () => {
      const cookie = await sealCookie(state, { value: 'v', provider: 'github' }, sealing);
      expect(cookie.name).toBe(state.name);
      expect(cookie.options).toEqual({ ...state.options, expires: new Date('2026-11-21T12:15:00Z') });
      expect(await joseClaims(cookie.value, 'one', state.name)).toMatchObject({ value: 'v', provider: 'github' });
      const opened = await openCookie({ [cookie.name]: cookie.value }, state, sealing);
      expect(opened).toMatchObject({ value: 'v', provider: 'github', exp: now.getTime() / 1000 + 900 });
    });

    it('has no Max-Age if the table does not set one', async () => {
      const cookie = await sealCookie(nonce, {}, sealing);
      expect(cookie.options.maxAge).toBeUndefined();
      expect(cookie.options.expires).toEqual(new Date('2026-11-21T12:15:00Z'));
    });

    it('opens nowhere else, and not when it is absent, empty, changed or expired', async () => {
      const { value } = await sealCookie(state, {}, sealing);
      expect(await openCookie({ [pkceCodeVerifier.name]: value }, pkceCodeVerifier, sealing)).toBeUndefined();
      expect(await openCookie({}, state, sealing)).toBeUndefined();
      expect(await openCookie({ [state.name]: '' }, state, sealing)).toBeUndefined();
      expect(await openCookie({ [state.name]: 'garbage' }, state, sealing)).toBeUndefined();
      expect(await openCookie({ [state.name]: `${value.slice(0, -3)}AAA` }, state, sealing)).toBeUndefined();
      expect(await openCookie({ [state.name]: value }, state, { ...sealing, secrets: ['other'] })).toBeUndefined();
      const later = { ...sealing, now: new Date(now.getTime() + 915_000) };
      expect(await openCookie({ [state.name]: value }, state, later)).toBeUndefined();
    });

    it('does not hide other errors', async () => {
      const { value } = await sealCookie(state, {}, sealing);
      const opening = { secrets: [], now };
      await expect((async () => openCookie({ [state.name]: value }, state, opening))()).rejects.toThrow(TypeError);
    });
  });
});

describe('expireCookie', () => {
  it('makes the browser forget, with the same attributes', () => {
    const options = { ...state.options, expires: now };
    expect(expireCookie({ name: 'n', options })).toEqual({
      name: 'n',
      value: '',
      options: { ...state.options, maxAge: 0 },
    });
    expect(options.expires).toBe(now);
  });
});
