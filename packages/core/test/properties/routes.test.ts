import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAuthAction, routes } from '../../src/actions/routes.ts';
import { isRoute } from '../../src/binding/origin.ts';
import { readRoute } from '../../src/entry/route.ts';
import { UnknownAction } from '../../src/errors.ts';
import { text, wellFormed } from './words.ts';

const actions = fc.constantFrom(
  'providers', 'session', 'csrf', 'signin', 'signout', 'callback', 'verify-request', 'error',
); // biome-ignore format: a list to be read across
const basePaths = fc.constantFrom('', '/auth', '/api/auth', '/a.c/(x+)+', '/[a]*');
const path = fc.oneof(
  text,
  fc.array(fc.oneof(text, actions, basePaths), { maxLength: 5 }).map((parts) => parts.join('/')),
  fc
    .tuple(basePaths, fc.array(fc.oneof(text, actions), { maxLength: 3 }))
    .map(([base, parts]) => [base, ...parts].join('/')),
);

describe('any path', () => {
  it('names an action, or is refused with an UnknownAction', () => {
    fc.assert(
      fc.property(path, basePaths, (pathname, basePath) => {
        try {
          const { action, providerId } = readRoute(routes, pathname, basePath, {});
          expect(isAuthAction(action)).toBe(true);
          expect(pathname.startsWith(`${basePath}/`)).toBe(true);
          expect(providerId).not.toBe('');
          expect(isRoute(pathname, basePath)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UnknownAction);
          expect(isRoute(pathname, basePath)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('is below the base path only if a slash follows it', () => {
    fc.assert(
      fc.property(text, actions, (between, action) => {
        fc.pre(!between.includes('/'));
        expect(isRoute(`/auth${between}${action}`, '/auth')).toBe(false);
        expect(isRoute(`/auth${between}/${action}`, '/auth')).toBe(between === '');
      }),
    );
  });

  it('means the same with slashes doubled and at the end', () => {
    fc.assert(
      fc.property(actions, fc.integer({ min: 1, max: 4 }), fc.nat(4), (action, before, after) => {
        const pathname = `/auth${'/'.repeat(before)}${action}${'/'.repeat(after)}`;
        expect(readRoute(routes, pathname, '/auth', {})).toEqual({ action, providerId: undefined });
      }),
    );
  });

  it('contains the id of the provider that it was built with', () => {
    fc.assert(
      fc.property(text, (id) => {
        const whole = wellFormed(id);
        fc.pre(whole !== '' && whole !== 'undefined');
        expect(readRoute(routes, `/auth/signin/${encodeURIComponent(whole)}`, '/auth', {}).providerId).toBe(whole);
      }),
    );
  });
});
