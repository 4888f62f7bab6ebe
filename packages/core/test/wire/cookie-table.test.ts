import { describe, expect, it } from 'vitest';
import { cookieProblems } from '../../src/config/check.ts';
import type { CookieOption } from '../../src/types/config.ts';
import { cookieNames, cookieTable } from '../../src/wire/cookie-table.ts';

describe('cookieTable', () => {
  it('has the names and attributes of Auth.js v5', () => {
    const common = { httpOnly: true, sameSite: 'lax', path: '/' };
    for (const secure of [false, true]) {
      const short = { ...common, secure, maxAge: 900 };
      const prefix = secure ? '__Secure-' : '';
      expect(cookieTable(secure)).toEqual({
        sessionToken: { name: `${prefix}authjs.session-token`, options: { ...common, secure } },
        callbackUrl: { name: `${prefix}authjs.callback-url`, options: { ...common, secure } },
        csrfToken: { name: `${secure ? '__Host-' : ''}authjs.csrf-token`, options: { ...common, secure } },
        pkceCodeVerifier: { name: `${prefix}authjs.pkce.code_verifier`, options: short },
        state: { name: `${prefix}authjs.state`, options: short },
        nonce: { name: `${prefix}authjs.nonce`, options: { ...common, secure } },
        webauthnChallenge: { name: `${prefix}authjs.challenge`, options: short },
        mail: { name: `${secure ? '__Host-' : ''}authjs.mail`, options: { ...common, secure } },
        recent: { name: `${secure ? '__Host-' : ''}authjs.recent`, options: { ...common, secure } },
        address: { name: `${secure ? '__Host-' : ''}authjs.address`, options: { ...common, secure } },
        offer: { name: `${secure ? '__Host-' : ''}authjs.offer`, options: { ...common, secure, maxAge: 600 } },
        tokens: { name: `${secure ? '__Host-' : ''}authjs.tokens`, options: { ...common, secure } },
      });
    }
  });

  it('accepts names and single attributes of the application', () => {
    const options = { domain: '.example.com', secure: undefined, sameSite: 'strict' } as const;
    const table = cookieTable(true, { sessionToken: { name: 'sid', options }, state: { options: { maxAge: 60 } } });
    expect(table.sessionToken).toEqual({
      name: 'sid',
      options: { httpOnly: true, sameSite: 'strict', path: '/', secure: true, domain: '.example.com' },
    });
    expect(table.state.name).toBe('__Secure-authjs.state');
    expect(table.state.options.maxAge).toBe(60);
    expect(table.nonce).toEqual(cookieTable(true).nonce);
  });

  it('ignores undefined values', () => {
    expect(cookieTable(true, { sessionToken: undefined, state: {}, nonce: { name: undefined as never } })).toEqual(
      cookieTable(true),
    );
  });

  it('is frozen and does not change the overrides', () => {
    const overrides = Object.freeze({ sessionToken: Object.freeze({ options: Object.freeze({ maxAge: 1 }) }) });
    const table = cookieTable(false, overrides);
    expect(Object.isFrozen(table)).toBe(true);
    for (const cookie of Object.values<CookieOption>(table)) {
      expect(Object.isFrozen(cookie)).toBe(true);
      expect(Object.isFrozen(cookie.options)).toBe(true);
    }
  });
});

describe('cookieProblems', () => {
  it('returns no problem of the default table', () => {
    expect(cookieProblems(cookieTable(true))).toEqual([]);
    expect(cookieProblems(cookieTable(false))).toEqual([]);
  });

  it.each([
    [true, { csrfToken: { options: { domain: 'example.com' } } }, /csrfToken.*__Host-.*Domain.*Remove options\.domain/],
    [true, { csrfToken: { options: { path: '/auth' } } }, /__Host-.*Set options\.path/],
    [false, { sessionToken: { name: '__Secure-sid' } }, /sessionToken \(__Secure-sid\).*Set options\.secure to true/],
    [true, { sessionToken: { options: { secure: false } } }, /prefix without Secure/],
    [false, { sessionToken: { name: '__host-sid' } }, /without Secure/],
    [false, { state: { options: { sameSite: 'none' } } }, /SameSite=None without Secure/],
    [false, { state: { options: { partitioned: true } } }, /Partitioned without Secure/],
    [true, { sessionToken: { name: 'a b' } }, /name is invalid.*RFC 6265/],
    [true, { sessionToken: { options: { domain: 'a b' } } }, /domain is invalid/],
    [true, { state: { options: { maxAge: 0.5 } } }, /maxAge is invalid/],
    [true, { sessionToken: { options: { sameSite: 'some' as never } } }, /sameSite is invalid/],
    [true, { state: { name: '__Secure-authjs.nonce' } }, /two of the cookies have this name/],
  ] as const)('in secure mode %s names what is wrong with %j', (secure, overrides, text) => {
    const problems = cookieProblems(cookieTable(secure, overrides));
    expect(problems.join('\n')).toMatch(text);
  });

  it('accepts a prefix whose conditions are met', () => {
    const name = '__Host-sid';
    expect(cookieProblems(cookieTable(false, { sessionToken: { name, options: { secure: true } } }))).toEqual([]);
    expect(cookieProblems(cookieTable(true, { sessionToken: { name } }))).toEqual([]);
  });

  it('names are all different', () => {
    expect(new Set(Object.values(cookieNames)).size).toBe(12);
  });
});
