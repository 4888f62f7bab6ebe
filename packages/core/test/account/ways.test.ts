import { type ApplicationParts, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { addSecond, BOB, change, kinds, listed, makeSite, type Site } from './scene.ts';

const idOf = async (app: Site, provider: string): Promise<string | undefined> =>
  (await listed(app)).find((way) => way.provider === provider)?.id;

const providers = (app: Site): string[] => app.adapter.dump().accounts.map(({ provider }) => provider);

const events = (app: Site, name: string): unknown[] =>
  app.events.filter(([event]) => event === name).map(([, message]) => message);

/** For sites without mailed links. */
const withoutMail = { without: ['mails'] } as const;

const siteWithoutMail = (kind: (typeof kinds)[number]): Site =>
  makeSite(kind, withoutMail, ({ provider }) => ({
    providers: [provider.provider(), provider.provider({ id: 'second' })],
  }));

describe.each(kinds)('the ways to sign in (%s)', (kind) => {
  it('are accounts and the address, each with an id and a label', async () => {
    const app = makeSite(kind);
    expect(await listed(app)).toEqual([]);
    await app.signIn();
    await addSecond(app);
    expect(await listed(app)).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^[\w-]{22}$/),
        kind: 'oidc',
        provider: 'fake',
        isOnlyWay: false,
      }),
      expect.objectContaining({ kind: 'oidc', provider: 'second', isOnlyWay: false }),
      { id: 'email', kind: 'email', provider: 'mail', label: 'ada@example.com', isOnlyWay: false },
    ]);
    // A store without passkeys may have no table for them.
    expect(app.adapter.calls.map(({ method }) => method)).not.toContain('listAuthenticatorsByUserId');
  });

  it('can be removed, and the event says so', async () => {
    const app = makeSite(kind);
    await app.signIn();
    await addSecond(app);
    const id = await idOf(app, 'second');
    const page = await app.post('account/unlink', { id });
    expect(page.redirect?.href).toBe('http://localhost:3000/auth/account?done=unlink');
    expect(providers(app)).toEqual(['fake']);
    const [user] = app.adapter.dump().users;
    const account = { provider: 'second', providerAccountId: 'ada-second', type: 'oidc', userId: user?.id };
    expect(events(app, 'unlinkAccount')).toEqual([{ user, account }]);
    expect((await change(app, 'unlink', { id })).json()).toEqual({ count: 0 });
    expect(events(app, 'unlinkAccount')).toHaveLength(1);
  });

  it('are not all removed', async () => {
    const app = siteWithoutMail(kind);
    await app.signIn();
    const [only] = await listed(app);
    expect(only).toMatchObject({ provider: 'fake', isOnlyWay: true });
    const refused = await change(app, 'unlink', { id: only?.id });
    expect([refused.status, refused.json()]).toEqual([400, { error: 'LastWayIn' }]);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    const page = await app.post('account/unlink', { id: only?.id });
    expect(page.redirect?.href).toBe('http://localhost:3000/auth/account?error=LastWayIn');
    expect(providers(app)).toEqual(['fake']);
    await addSecond(app);
    const ids = (await listed(app)).map(({ id }) => id);
    const pages = await Promise.all(ids.map((id) => change(app, 'unlink', { id })));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(providers(app)).toHaveLength(1);
  });

  it('are removed once by simultaneous requests', async () => {
    const app = makeSite(kind);
    await app.signIn();
    await addSecond(app);
    const id = await idOf(app, 'second');
    const pages = await Promise.all([1, 2, 3].map(() => change(app, 'unlink', { id })));
    expect(pages.map((page) => page.text()).sort()).toEqual(['{"count":0}', '{"count":0}', '{"count":1}']);
    expect(events(app, 'unlinkAccount')).toHaveLength(1);
  });

  it('of another user are unknown', async () => {
    const app = makeSite(kind);
    const bob = app.visitor();
    await app.signIn({ browser: bob, consent: BOB });
    const [ofBob] = await listed(app, bob);
    await app.signIn();
    for (const id of [ofBob?.id, 'email', '', undefined]) {
      expect((await change(app, 'unlink', { id })).json()).toEqual({ count: 0 });
    }
    expect((await change(app, 'passkey', { id: ofBob?.id, name: 'Mine' })).json()).toEqual({ count: 0 });
    expect(providers(app)).toEqual(['fake', 'fake']);
  });

  it('of a provider that is gone do not count, and can be removed', async () => {
    const before = siteWithoutMail(kind);
    await before.signIn();
    await addSecond(before);
    const one = ({ provider }: ApplicationParts) => ({ providers: [provider.provider()] });
    const app = makeSite(kind, withoutMail, one, before);
    await app.signIn();
    const [fake, gone] = await listed(app);
    expect([fake, gone]).toMatchObject([
      { provider: 'fake', isOnlyWay: true },
      { kind: 'oidc', isOnlyWay: false },
    ]);
    expect(gone).not.toHaveProperty('provider');
    expect((await change(app, 'unlink', { id: gone?.id })).json()).toEqual({ count: 1 });
    expect(before.adapter.dump().accounts.map(({ provider }) => provider)).toEqual(['fake']);
  });
});

describe('an account', () => {
  it('under the id of a provider that has no accounts does not count', async () => {
    const credentials = Credentials({ authorize: () => null });
    const app = makeSite('database', {}, ({ provider, mail }) => ({
      providers: [provider.provider(), mail, credentials],
    }));
    await app.signIn();
    const userId = app.adapter.dump().users[0]?.id ?? '';
    for (const id of ['mail', 'credentials'])
      await app.adapter.linkAccount({ provider: id, providerAccountId: id, type: 'email', userId });
    expect((await listed(app)).map((way) => way.provider)).toEqual(['fake', 'mail', undefined, undefined]);
  });
});

describe('a passkey', () => {
  it('is listed without a name if the adapter cannot read it', async () => {
    const app = makeSite('database');
    Reflect.deleteProperty(app.adapter, 'listAuthenticatorsByUserId');
    await app.signIn();
    const userId = app.adapter.dump().users[0]?.id ?? '';
    await app.adapter.linkAccount({ provider: 'passkey', providerAccountId: 'phone', type: 'webauthn', userId });
    const ways = await listed(app);
    expect(ways.filter(({ kind }) => kind === 'webauthn')).toEqual([
      { id: expect.any(String), kind: 'webauthn', isOnlyWay: false },
    ]);
  });
});

describe('a password', () => {
  it.each([
    [() => true, 200],
    [() => false, 400],
  ])('counts if the application says so', async (hasPassword, status) => {
    const credentials = Credentials({ authorize: () => null });
    const app = makeSite('jwt', { ...withoutMail, hasPassword }, ({ provider }) => ({
      providers: [provider.provider(), credentials],
    }));
    await app.signIn();
    const password = { id: 'password', kind: 'credentials', provider: 'credentials', isOnlyWay: false };
    expect((await listed(app)).slice(1)).toEqual(status === 200 ? [password] : []);
    const page = (await app.browser.get('/auth/account')).text();
    expect(page.includes('<h3><bdi>Password</bdi></h3>')).toBe(status === 200);
    expect(page.includes('This is your only way to sign in.')).toBe(status !== 200);
    expect((await change(app, 'unlink', { id: await idOf(app, 'fake') })).status).toBe(status);
  });
});

describe.each(['jwt with records', 'database with records'] as const)('sessions (%s)', (kind) => {
  it('that began with a removed way end, except the one of the visitor', async () => {
    const app = makeSite(kind);
    const [second, other] = [app.visitor(), app.visitor()];
    await app.signIn();
    await addSecond(app);
    await app.signIn({ browser: other });
    const consent = { user: { sub: 'ada-second', email: 'ada@second.example' } };
    await app.signIn({ id: 'second', consent, browser: second });
    await change(app, 'unlink', { id: await idOf(app, 'second') });
    app.clock.advance(11);
    expect(await app.session(second)).toBeNull();
    expect(await app.session(other)).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(events(app, 'sessionEnded').at(-1)).toMatchObject({ reason: 'unlink' });
  });
});

describe('an adapter of Auth.js', () => {
  it('cannot list or remove ways', async () => {
    const adapter = memoryAdapter({ optional: false }) as unknown as MemoryAdapter;
    const app = makeSite('database', {}, { adapter });
    await app.signIn();
    const page = await app.browser.get('/auth/account', { headers: { accept: 'application/json' } });
    expect([page.status, page.json()]).toEqual([500, { error: 'Configuration' }]);
    expect((await change(app, 'unlink', { id: 'x' })).status).toBe(500);
    expect((await change(app, 'passkey', { id: 'x', name: 'Phone' })).status).toBe(500);
    expect(app.log.types()).toEqual(Array(3).fill('MissingAdapterMethods'));
    expect((await change(app, 'name', { name: 'Countess' })).status).toBe(200);
    // The page to sign in again shows all ways.
    const forms = app.browser.forms(await app.browser.get('/auth/account/sign-in'));
    expect(forms).toHaveLength(3);
  });
});
