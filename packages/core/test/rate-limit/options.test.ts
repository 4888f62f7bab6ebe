import { describe, expect, it } from 'vitest';
import type { AuthConfig } from '../../src/types.ts';
import { scene } from '../flows/scene.ts';
import { door } from './scene.ts';

const problemsOf = async (rateLimit: unknown): Promise<string[]> => {
  const app = scene(door, { rateLimit } as Partial<AuthConfig>);
  const page = await app.browser.get('/auth/signin');
  expect(page.status).toBe(app.log.errors.length > 0 ? 500 : 200);
  return app.log.errors.map(({ message }) => message.replace(/\. See docs.*$/, ''));
};

const store = { take: () => null, giveBack: () => undefined };

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
        giveBack() {}
      })(),
      trustedProxyHops: 16,
    },
  ])('may be %j', async (rateLimit) => expect(await problemsOf(rateLimit)).toEqual([]));

  const times = 'Give a whole number from 1 to 1000, or `rateLimit.email: false` for no limit';
  const seconds = 'Give whole seconds, from 1 to 86400';
  const stores =
    'Give `SqlRateLimits(db)` or `RedisRateLimits(client)`, or something else that has `take` and `giveBack`';
  it.each([
    [true, '`rateLimit` is neither options nor `false`. Leave it out to have the usual limits'],
    [null, '`rateLimit` is neither options nor `false`. Leave it out to have the usual limits'],
    [[], '`rateLimit` is neither options nor `false`. Leave it out to have the usual limits'],
    [{ email: 5 }, '`rateLimit.email` is neither a limit nor `false`. Give `{ limit, window }`'],
    [{ email: { limit: 0 } }, `\`rateLimit.email.limit\` is no number of times. ${times}`],
    [{ email: { limit: 1001 } }, `\`rateLimit.email.limit\` is no number of times. ${times}`],
    [{ email: { limit: 1.5 } }, `\`rateLimit.email.limit\` is no number of times. ${times}`],
    [{ email: { limit: '5' } }, `\`rateLimit.email.limit\` is no number of times. ${times}`],
    [{ email: { limit: Number.NaN } }, `\`rateLimit.email.limit\` is no number of times. ${times}`],
    [{ email: { window: 0 } }, `\`rateLimit.email.window\` is no number of seconds. ${seconds}`],
    [{ email: { window: 86_401 } }, `\`rateLimit.email.window\` is no number of seconds. ${seconds}`],
    [{ email: { windows: 1 } }, '`rateLimit.email.windows` is no option. There are: limit, window'],
    [
      { credentials: { identifier: 'email' } },
      '`rateLimit.credentials.identifier` is no function. Give a function that returns the identifier of the credentials',
    ],
    [
      { mails: { limit: 1 } },
      '`rateLimit.mails` is no option. There are: credentials, email, network, store, trustedProxyHops',
    ],
    [{ store: {} }, `\`rateLimit.store\` is no store of counters. ${stores}`],
    [{ store: { take: () => null } }, `\`rateLimit.store\` is no store of counters. ${stores}`],
    [
      { trustedProxyHops: -1 },
      '`rateLimit.trustedProxyHops` is no number of proxies. Give the number of proxies in front of the application, from 0 to 16',
    ],
  ])('may not be %j', async (rateLimit, problem) => expect(await problemsOf(rateLimit)).toEqual([problem]));

  it('is told all its problems at once', async () => {
    const wrong = { credentials: { limit: 0, window: 0 }, network: 7, store: 'redis', trustedProxyHops: 99, x: 1 };
    expect(await problemsOf(wrong)).toHaveLength(6);
  });

  it('that is wrong does not keep anybody from reading a session', async () => {
    const app = scene(door, { rateLimit: { email: 5 } } as unknown as Partial<AuthConfig>);
    expect(await app.session()).toBeNull();
  });
});
