import { describe, expect, it } from 'vitest';
import { isAuthAction } from '../../src/actions/routes.ts';
import { createActionURL } from '../../src/entry/route.ts';
import { forgedHosts } from '../attacks/forged-hosts.ts';
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

describe('the URL of an action', () => {
  it.each(rows)(
    'with headers %j, protocol %s, environment %j and base path %s is %s',
    (headers, protocol, env, basePath, url) => {
      expect(createActionURL('signout', protocol, new Headers(headers), env, { basePath }).href).toBe(url);
      if (basePath !== undefined) {
        expect(createActionURL('signout', protocol, new Headers(headers), env, basePath).href).toBe(url);
      }
    },
  );

  it.each(forgedHosts)('does not use %s of a header', (host) => {
    const headers = new Headers({ host: 'app.test', 'x-forwarded-host': host });
    const env = {};
    const url = createActionURL('signout', 'https', headers, env, '/auth');
    // Of a forwarded list, the first element counts.
    expect(url.host).toBe(host.startsWith('evil.example,') ? 'evil.example' : 'app.test');
    if (!host.includes(','))
      expect(createActionURL('signout', 'https', new Headers({ host }), env).host).toBe('localhost');
  });

  it('has the base path of the configuration, with a warning if the environment names another one', () => {
    const logger = log();
    const env = { AUTH_URL: 'https://app.test/one' };
    expect(createActionURL('signin', 'https', new Headers(), env, { basePath: '/two', logger }).href).toBe(
      'https://app.test/two/signin',
    );
    expect(logger.warnings.map(([code]) => code)).toEqual(['env-url-basepath-mismatch']);
  });

  it('throws a TypeError if AUTH_URL is not an http or https URL', () => {
    for (const address of ['localhost', 'javascript:alert(1)', 'ftp://x.test', 'http://[']) {
      expect(() => createActionURL('signin', 'https', new Headers(), { AUTH_URL: address }, '/auth')).toThrow(
        TypeError,
      );
    }
  });
});

describe('the names of actions', () => {
  it('are nine, and `asset` is not one of them', () => {
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
