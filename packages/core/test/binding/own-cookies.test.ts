import { ownCookies, withEnv } from '@latchkey/core/binding';
import { expect, it } from 'vitest';

const migrate = { from: new Date('2026-01-01'), until: new Date('9999-01-01') };
const prefixed = { cookies: { prefix: '__Host-', migrate } } as const;
const legacy = [{ name: 'old', cookies: ['sid'], until: '2026-12-31', read: async () => null }];
const renamed = { cookies: { sessionToken: { name: 'sid' } } };

it.each<[name: string, isOwn: boolean, isPersonal: boolean, origin: string, config?: object]>([
  ['authjs.session-token', true, true, 'http://localhost:3000'],
  ['authjs.session-token.1', true, true, 'http://localhost:3000'],
  ['authjs.session-token.x', false, false, 'http://localhost:3000'],
  ['authjs.mail', true, true, 'http://localhost:3000'],
  ['authjs.csrf-token', true, false, 'http://localhost:3000'],
  ['theme', false, false, 'http://localhost:3000'],
  ['__Secure-authjs.session-token', true, true, 'https://example.com'],
  ['authjs.session-token', false, false, 'https://example.com'],
  ['__Secure-authjs.session-token', true, true, 'http://localhost:3000', { useSecureCookies: true }],
  ['__Host-authjs.session-token', true, true, 'https://example.com', prefixed],
  ['__Secure-authjs.session-token', true, true, 'https://example.com', prefixed],
  ['sid', true, true, 'http://localhost:3000', renamed],
  ['authjs.session-token', false, false, '', renamed],
  ['sid', false, true, 'http://localhost:3000', { legacy }],
  ['sid.0', false, true, 'http://localhost:3000', { legacy }],
])(
  'the cookie %s is one of the configuration: %s, and holds personal values: %s (%s)',
  (name, isOwn, isPersonal, origin, own) => {
    const { isOwn: isOurs, isPersonal: isTheVisitors } = ownCookies(withEnv({ providers: [], ...own }, {}), origin);
    expect([isOurs(name), isTheVisitors(name)]).toEqual([isOwn, isPersonal]);
  },
);

it('the origin of the environment decides about the prefix', () => {
  const { isPersonal } = ownCookies(withEnv({ providers: [] }, { AUTH_URL: 'https://example.com' }), 'http://10.0.0.7');
  expect(isPersonal('__Secure-authjs.session-token')).toBe(true);
});
