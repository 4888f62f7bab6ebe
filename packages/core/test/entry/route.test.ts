import { describe, expect, it } from 'vitest';
import { createActionURL, isAuthAction } from '../../src/entry/route.ts';
import { log } from '../flows/scene.ts';

type Row = [
  headers: Record<string, string>,
  protocol: string | undefined,
  env: Record<string, string>,
  basePath: string | undefined,
  url: string,
];

const rows: Row[] = [
  [{}, undefined, { AUTH_URL: 'http://localhost:3000' }, '/api/auth', 'http://localhost:3000/api/auth/signout'],
  [
    {},
    undefined,
    { AUTH_URL: 'https://sub.domain.env.com' },
    '/api/auth',
    'https://sub.domain.env.com/api/auth/signout',
  ],
  [
    {},
    undefined,
    { AUTH_URL: 'https://sub.domain.env.com/api/auth' },
    undefined,
    'https://sub.domain.env.com/api/auth/signout',
  ],
  [
    {},
    undefined,
    { AUTH_URL: 'http://localhost:3000/my-app/api/auth/' },
    '/my-app/api/auth',
    'http://localhost:3000/my-app/api/auth/signout',
  ],
  [{}, undefined, { AUTH_URL: 'https://app.test/' }, undefined, 'https://app.test/signout'],
  [{}, undefined, { NEXTAUTH_URL: 'https://old.test' }, '/auth', 'https://old.test/auth/signout'],
  [{ host: 'evil.test' }, 'http', { AUTH_URL: 'https://app.test' }, '/auth', 'https://app.test/auth/signout'],
  [{ host: 'example.com' }, undefined, {}, '/basepath', 'https://example.com/basepath/signout'],
  [{ host: 'example.com' }, 'http', {}, '/', 'http://example.com/signout'],
  [{ host: 'example.com' }, 'http:', {}, 'auth/', 'http://example.com/auth/signout'],
  [{ host: 'example.com' }, undefined, {}, undefined, 'https://example.com/signout'],
  [{ 'x-forwarded-host': 'example.com', host: 'inner' }, 'http:', {}, '/auth', 'http://example.com/auth/signout'],
  [
    { 'x-forwarded-host': 'a.test, b.test', 'x-forwarded-proto': 'https, http' },
    'http',
    {},
    '/auth',
    'https://a.test/auth/signout',
  ],
  [{ 'x-forwarded-proto': 'javascript', host: 'a.test' }, 'http', {}, '/auth', 'http://a.test/auth/signout'],
  [{ 'x-forwarded-host': 'evil@a.test', host: 'a.test' }, 'http', {}, '/auth', 'http://a.test/auth/signout'],
  [{ 'x-forwarded-host': 'a.test/x?y#z', host: 'b.test:8080' }, 'http', {}, '/auth', 'http://b.test:8080/auth/signout'],
  [{ host: '[::1]:3000' }, 'http', {}, '/auth', 'http://[::1]:3000/auth/signout'],
];

describe('the address of an action', () => {
  it.each(rows)(
    'with headers %j, protocol %s, environment %j and base path %s is %s',
    (headers, protocol, env, basePath, url) => {
      expect(createActionURL('signout', protocol, new Headers(headers), env, { basePath }).href).toBe(url);
      if (basePath !== undefined) {
        expect(createActionURL('signout', protocol, new Headers(headers), env, basePath).href).toBe(url);
      }
    },
  );

  it('warns where the environment names another base path than the configuration, whose counts', () => {
    const logger = log();
    const env = { AUTH_URL: 'https://app.test/one' };
    expect(createActionURL('signin', 'https', new Headers(), env, { basePath: '/two', logger }).href).toBe(
      'https://app.test/two/signin',
    );
    expect(logger.warnings.map(([code]) => code)).toEqual(['env-url-basepath-mismatch']);
  });

  it('is none where AUTH_URL is no web address', () => {
    for (const address of ['localhost', 'javascript:alert(1)', 'ftp://x.test', 'http://[']) {
      expect(() => createActionURL('signin', 'https', new Headers(), { AUTH_URL: address }, '/auth')).toThrow(
        TypeError,
      );
    }
  });
});

describe('the names of actions', () => {
  it('are nine', () => {
    const names = [
      'providers',
      'session',
      'csrf',
      'signin',
      'signout',
      'callback',
      'verify-request',
      'error',
      'webauthn-options',
    ];
    for (const name of names) expect(isAuthAction(name)).toBe(true);
    for (const name of ['', 'Signin', 'signin/', 'constructor', '__proto__', 'toString', 'asset'])
      expect(isAuthAction(name)).toBe(false);
  });
});
