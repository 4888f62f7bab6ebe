import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originFrom } from '../../src/binding/origin.ts';
import { setEnvDefaults, withEnv } from '../../src/config/env.ts';
import { createActionURL, originOfHeaders } from '../../src/entry/route.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { headerText, text } from './words.ts';

const host = fc.oneof(
  headerText,
  fc.stringMatching(/^[a-z0-9.:[\]-]{0,24}$/),
  fc.constantFrom(
    'app.example',
    'app.example:8443',
    '127.0.0.1',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x',
    'a..b',
    'xn--a',
    '[::1]:80',
    '[:::]',
    '[1.2.3.4]',
    'h:99999',
    'a, b',
    'user@evil.example',
  ),
);
const protocol = fc.oneof(
  headerText,
  fc.constantFrom('http', 'https', 'http,https', 'HTTPS', 'javascript', 'data', 'file', 'ws'),
);
const headers = fc
  .record({ host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol }, { requiredKeys: [] })
  .map((given) => new Headers(given as Record<string, string>));
const ORIGIN = /^https?:\/\/([a-z\d._-]+|\[[\da-f:]+\])(:\d+)?$/;
const quiet = { error: () => undefined, warn: () => undefined };

describe("the application's own address", () => {
  it('is an http origin for all headers', () => {
    fc.assert(
      fc.property(headers, fc.option(protocol, { nil: undefined }), (given, scheme) => {
        const origin = originOfHeaders(given, scheme);
        expect(origin).toMatch(ORIGIN);
        expect(new URL(origin).origin).toBe(origin);
        const url = createActionURL('signin', scheme, given, {}, '/auth');
        expect(url.href).toBe(`${origin}/auth/signin`);
      }),
      { numRuns: 3000 },
    );
  });

  it('is that of AUTH_URL if it is set, for all headers', () => {
    fc.assert(
      fc.property(headers, protocol, (given, scheme) => {
        const url = createActionURL(
          'csrf',
          scheme,
          given,
          { AUTH_URL: 'https://app.example' },
          { basePath: '/auth', logger: quiet },
        );
        expect(url.href).toBe('https://app.example/auth/csrf');
      }),
    );
  });

  it('is refused by a TypeError if AUTH_URL is not a URL', () => {
    fc.assert(
      fc.property(text, (address) => {
        fc.pre(address !== '');
        try {
          const { protocol: used, pathname } = createActionURL(
            'csrf',
            undefined,
            new Headers(),
            { AUTH_URL: address },
            { basePath: '/auth', logger: quiet },
          );
          expect(used).toMatch(/^https?:$/);
          expect(pathname).toBe('/auth/csrf');
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of a Node host is an http origin, or absent', () => {
    fc.assert(
      fc.property(protocol, fc.option(host, { nil: undefined }), (scheme, name) => {
        const origin = originFrom(scheme, name);
        if (origin !== '') expect(new URL(origin).origin).toBe(origin);
        expect(origin === '' || /^https?:\/\/[^/?#@\\\s]+$/.test(origin)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the environment', () => {
  it('never makes a configuration fail, and trusts hosts only for `true` and `1`', () => {
    const names = [
      'AUTH_URL', 'NEXTAUTH_URL', 'AUTH_SECRET', 'AUTH_SECRET_1', 'AUTH_TRUST_HOST', 'AUTH_REDIRECT_PROXY_URL',
      'NODE_ENV',
    ]; // biome-ignore format: a list to be read across
    const env = fc.record(Object.fromEntries(names.map((name) => [name, fc.option(text, { nil: undefined })])));
    fc.assert(
      fc.property(env, (variables) => {
        const config: AuthConfig = { providers: [], logger: quiet };
        setEnvDefaults(variables, config);
        const said = variables.AUTH_TRUST_HOST;
        if (said) expect(config.trustHost).toBe(said === 'true' || said === '1');
        expect(config.basePath).toMatch(/^\//);
        const { call } = withEnv({ providers: [], logger: quiet }, variables);
        if (call.origin !== undefined) expect(new URL(call.origin).protocol).toMatch(/^https?:$/);
        expect(call.development).toBe(!variables.NODE_ENV ? 'local' : variables.NODE_ENV === 'development');
      }),
      { numRuns: 1000 },
    );
  });
});
