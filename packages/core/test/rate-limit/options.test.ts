import { describe, expect, it } from 'vitest';
import type { AuthConfig } from '../../src/types/config.ts';
import { scene } from '../flows/scene.ts';
import { door } from './scene.ts';

const problemsOf = async (rateLimit: unknown): Promise<string[]> => {
  const app = scene(door, { rateLimit } as Partial<AuthConfig>);
  const page = await app.browser.get('/auth/signin');
  expect(page.status).toBe(app.log.errors.length > 0 ? 500 : 200);
  return app.log.errors.map(({ message }) => message.replace(/\. See @latchkey.*$/, ''));
};

const store = { take: () => null, release: () => undefined };

describe('the option `rateLimit`', () => {
  it.each([
    undefined,
    false,
    {},
    { credentials: false, email: false, network: false },
    { credentials: undefined, store: undefined, trustedProxyHops: undefined },
    {
      credentials: { limit: 1, window: 1, identifier: () => 'x' },
      email: { limit: 1000 },
      network: { window: 86_400 },
    },
    { store, trustedProxyHops: 0 },
    {
      store: new (class {
        take() {
          return null;
        }
        release() {}
      })(),
      trustedProxyHops: 16,
    },
  ])('may be %j', async (rateLimit) => expect(await problemsOf(rateLimit)).toEqual([]));

  const whole = '`rateLimit` must be an object or `false`. Leave it out to keep the defaults';
  const times =
    '`rateLimit.email.limit` must be a whole number from 1 to 1000. For no limit, set `rateLimit.email: false`';
  const seconds = '`rateLimit.email.window` must be a whole number of seconds from 1 to 86400';
  const stores =
    '`rateLimit.store` must have the methods `take` and `release`. Use `SqlRateLimits(db)` or `RedisRateLimits(client)`';
  const hops = '`rateLimit.trustedProxyHops` must be the number of proxies in front of the application, from 0 to 16';
  it.each([
    [true, whole],
    [null, whole],
    [[], whole],
    [{ email: 5 }, '`rateLimit.email` must be `{ limit, window }` or `false`'],
    [{ email: { limit: 0 } }, times],
    [{ email: { limit: 1001 } }, times],
    [{ email: { limit: 1.5 } }, times],
    [{ email: { limit: '5' } }, times],
    [{ email: { limit: Number.NaN } }, times],
    [{ email: { window: 0 } }, seconds],
    [{ email: { window: 86_401 } }, seconds],
    [{ email: { windows: 1 } }, '`rateLimit.email.windows` is not an option. The options are limit, window'],
    [
      { credentials: { identifier: 'email' } },
      '`rateLimit.credentials.identifier` must be a function that returns the identifier of the credentials',
    ],
    [
      { mails: { limit: 1 } },
      '`rateLimit.mails` is not an option. The options are credentials, email, network, store, trustedProxyHops',
    ],
    [{ store: {} }, stores],
    [{ store: { take: () => null } }, stores],
    [{ trustedProxyHops: -1 }, hops],
    [{ trustedProxyHops: 17 }, hops],
  ])('may not be %j', async (rateLimit, problem) => expect(await problemsOf(rateLimit)).toEqual([problem]));

  it('reports all problems at once', async () => {
    const wrong = { credentials: { limit: 0, window: 0 }, network: 7, store: 'redis', trustedProxyHops: 99, x: 1 };
    expect(await problemsOf(wrong)).toHaveLength(6);
  });

  it('does not prevent reading a session if it is wrong', async () => {
    const app = scene(door, { rateLimit: { email: 5 } } as unknown as Partial<AuthConfig>);
    expect(await app.session()).toBeNull();
  });
});
