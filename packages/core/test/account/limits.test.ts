import { type MemoryAdapter, memoryAdapter, type Page, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { AdapterAccount } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types.ts';
import { doors } from '../flows/doors.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { leadsExactlyTo } from '../flows/scene.ts';
import { addSecond, listed, makeSite, type Site } from './scene.ts';

const TEXT = 'This account cannot have more ways to sign in. Remove one first.';

/** Stores accounts of a provider that is not configured, until the first user has this number of them. */
async function fill(
  adapter: Pick<MemoryAdapter, 'dump' | 'linkAccount'>,
  count: number,
  type: AdapterAccount['type'] = 'oidc',
): Promise<void> {
  const userId = adapter.dump().users[0]?.id ?? '';
  const has = adapter.dump().accounts.filter((account) => account.type === type).length;
  for (let added = has; added < count; added++) {
    await adapter.linkAccount({ provider: 'old', providerAccountId: `${type}-${added}`, type, userId });
  }
}

/** Signs Ada in. She has this number of accounts. */
async function siteWith(count: number, own: Partial<AuthConfig> = {}, adapter?: MemoryAdapter): Promise<Site> {
  const app = makeSite('database', { without: ['mails'] }, own, adapter && { adapter });
  await app.signIn();
  await fill(app.adapter, count);
  return app;
}

const counted = (app: Site): number => app.adapter.dump().accounts.length;
const refusals = (pages: readonly Page[]): Page[] =>
  pages.filter((page) => leadsExactlyTo(page) === '/auth/account?error=TooManyWays&provider=second');

describe('a user', () => {
  it('has at most 50 accounts, and reads that one has to be removed first', async () => {
    const app = await siteWith(49);
    await addSecond(app);
    expect(counted(app)).toBe(50);
    const user = { sub: 'third', email: 'third@example.com' };
    const refused = await app.signIn({ id: 'second', consent: { user } });
    expect(refusals([refused])).toHaveLength(1);
    expect([counted(app), app.log.types()]).toEqual([50, ['TooManyWays']]);
    const page = (await app.browser.follow(refused)).text();
    expect(page.split(TEXT)).toHaveLength(2);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    await app.post('account/unlink', { id: (await listed(app)).find((way) => way.provider === 'second')?.id });
    await app.signIn({ id: 'second', consent: { user } });
    expect(app.adapter.dump().accounts.at(-1)?.providerAccountId).toBe('third');
  });

  it('signs in with each of them', async () => {
    const app = await siteWith(50);
    await app.signIn({ browser: app.visitor() });
    expect(app.log.types()).toEqual([]);
  });

  it('sees the buttons to add one as long as there is room: the address is not an account', async () => {
    const app = await siteWith(49);
    expect((await listed(app)).map(({ kind }) => kind)).toContain('email');
    expect((await app.browser.get('/auth/account')).text()).toContain('/auth/account/link');
  });

  it('sees no buttons to add one if there is no room', async () => {
    const app = await siteWith(50);
    const page = await app.browser.get('/auth/account');
    expect(page.text()).toContain(TEXT);
    expect(page.text()).not.toContain('/auth/account/link');
  });

  it('has at most 50 accounts of OAuth and OpenID providers together', async () => {
    const app = await siteWith(1);
    await fill(app.adapter, 49, 'oauth');
    expect((await app.browser.get('/auth/account')).text()).not.toContain('/auth/account/link');
  });

  it('has at most 50 accounts if many are added at once', async () => {
    // All requests count the accounts before one of them adds its own.
    let isSlow = false;
    const latency = async (): Promise<void> => {
      if (isSlow) await new Promise((done) => setImmediate(done));
    };
    const app = await siteWith(47, {}, memoryAdapter({ latency }) as MemoryAdapter);
    const visitors = Array.from({ length: 8 }, () => app.visitor());
    const urls: string[] = [];
    for (const [index, browser] of visitors.entries()) {
      await app.signIn({ browser });
      const started = await app.startSignIn('second', {}, browser);
      const user = { sub: `many-${index}`, email: `many-${index}@example.com` };
      urls.push(await app.provider.authorize(started.location ?? '', { user }));
    }
    isSlow = true;
    const pages = await Promise.all(visitors.map((browser, index) => app.open(urls[index] ?? '', browser)));
    expect(counted(app)).toBeLessThanOrEqual(50);
    expect(refusals(pages)).toHaveLength(8 - (counted(app) - 47));
    expect(app.events.filter(([event]) => event === 'linkAccount')).toHaveLength(counted(app) - 47 + 1);
  });

  it('does not get the account of an address either', async () => {
    const app = makeSite('database', { without: ['mails'] }, ({ provider }) => ({
      providers: [
        provider.provider(),
        provider.provider({ id: 'second', allowDangerousEmailAccountLinking: true, emailVerification: 'always' }),
      ],
    }));
    await app.signIn();
    await fill(app.adapter, 50);
    const user = { sub: 'same', email: 'ada@example.com' };
    const refused = await app.signIn({ id: 'second', browser: app.visitor(), consent: { user } });
    expect(refusals([refused])).toHaveLength(1);
    expect(counted(app)).toBe(50);
  });

  it('reads it on the sign-in page if there is no page of the account', async () => {
    const app = await siteWith(50, { account: { page: false, without: ['mails'] } });
    const refused = await app.signIn({ id: 'second', consent: { user: { sub: 'more', email: 'more@example.com' } } });
    expect(leadsExactlyTo(refused)).toBe('/auth/signin?error=TooManyWays&provider=second');
    expect((await app.browser.follow(refused)).text()).toContain(TEXT);
  });

  it('of an application without the options has no limit', async () => {
    const app = makeSite('database', {}, { account: undefined });
    await app.signIn();
    await fill(app.adapter, 50);
    await addSecond(app);
    expect(counted(app)).toBe(51);
  });
});

describe('the passkeys of a user', () => {
  const [door = expect.unreachable()] = doors;

  it('are at most 20, and the browser makes no further one', async () => {
    const config = { account: { without: ['mails'] } } as const;
    const app = passkeyScene(door, {}, { adapter: memoryAdapter(), config });
    await app.register();
    await fill(app.adapter, 18, 'webauthn');
    await fill(app.adapter, 50);
    const other = app.visitor();
    await app.enter({ browser: other });
    const { options } = await app.options({ action: 'register' }, other);
    await app.add({ authenticator: new SoftwareAuthenticator() });
    expect((await app.browser.get('/auth/account')).text()).toContain('/auth/signin?add');
    await app.add({ authenticator: new SoftwareAuthenticator() });
    expect(app.adapter.dump().authenticators).toHaveLength(3);
    const refused = await app.ask({ action: 'register' });
    expect([refused.status, refused.json()]).toEqual([400, { error: 'TooManyWays' }]);
    // A ceremony that has begun before is refused, too.
    const made = new SoftwareAuthenticator().create(options, other.origin);
    const late = await app.answer('register', made, { browser: other });
    expect(leadsExactlyTo(late)).toBe('/auth/account?error=TooManyWays&provider=passkey');
    expect(app.adapter.dump().authenticators).toHaveLength(3);
    expect((await app.browser.get('/auth/account')).text()).not.toContain('/auth/signin?add');
  });
});
