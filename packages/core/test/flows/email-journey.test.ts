import { describe, expect, it } from 'vitest';
import type { JWTCallbackParams } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import { changed, mailScene } from './email-scene.ts';
import { leadsTo, sessionCookies, startsSession } from './scene.ts';

const address = 'ada@example.com';
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const strategies = ['jwt', 'database'] as const;

describe.each(doors.flatMap((door) => strategies.map((strategy) => ({ door, strategy, name: door.name }))))(
  'sign-in by email with $strategy sessions through $name',
  ({ door, strategy }) => {
    const session = { strategy };

    it('signs in a new visitor by a mailed link', async () => {
      const app = mailScene(door, { session });
      const asked = await app.ask(address);
      expect(leadsTo(asked)).toBe('/auth/verify-request?provider=mail&type=email');
      expect(startsSession(asked)).toBe(false);
      expect((await app.browser.follow(asked)).text()).toContain('<h1>Check your inbox</h1>');
      expect(app.store.users.size).toBe(0);

      const page = await app.open(app.sent[0]?.url ?? '');
      expect(page.status).toBe(302);
      expect(leadsTo(page)).toBe('/in');
      expect(await app.session()).toMatchObject({ user: { email: address } });
      expect([...app.store.users.values()]).toEqual([
        { id: expect.stringMatching(uuid), email: address, emailVerified: app.clock.now() },
      ]);
      expect(app.store.accounts.size).toBe(0);
      expect(app.store.sessions.size).toBe(strategy === 'database' ? 1 : 0);
      expect(app.log.types()).toEqual([]);
      expect(app.browser.rejected).toEqual([]);
    });

    it('calls these methods of the store in this order', async () => {
      const app = mailScene(door, { session });
      const link = await app.link(address);
      const { token, identifier } = app.sent[0] ?? expect.unreachable();
      const [row] = app.store.tokens.values();
      expect(app.store.calls).toEqual([
        ['getUserByEmail', address],
        ['createVerificationToken', { identifier, token: row?.token, expires: app.sent[0]?.expires }],
      ]);
      app.store.forget();
      await app.open(link);
      expect(app.store.calls.slice(0, 4)).toEqual([
        ['useVerificationToken', { identifier, token: row?.token }],
        ['getUserByEmail', address],
        ['getUserByEmail', address],
        ['createUser', { id: expect.stringMatching(uuid), email: address, emailVerified: app.clock.now() }],
      ]);
      expect(app.store.names().slice(4)).toEqual(strategy === 'database' ? ['createSession'] : []);
      expect(token).not.toBe(row?.token);
    });

    it('emits createUser and signIn for a new user, updateUser and signIn for a known one that is not yet verified', async () => {
      const app = mailScene(door, { session });
      await app.open(await app.link(address));
      const [user] = app.store.users.values();
      const account = { providerAccountId: address, userId: expect.any(String), type: 'email', provider: 'mail' };
      expect(app.told).toEqual([
        ['createUser', { user }],
        ['signIn', { user, account, isNewUser: true }],
      ]);

      app.store.users.set('u1', { id: 'u1', email: 'bob@example.com', emailVerified: null });
      app.told.length = 0;
      await app.open(await app.link('bob@example.com'), app.visitor());
      const bob = { id: 'u1', email: 'bob@example.com', emailVerified: app.clock.now() };
      expect(app.told).toEqual([
        ['updateUser', { user: bob }],
        [
          'signIn',
          { user: bob, account: { ...account, providerAccountId: bob.email, userId: 'u1' }, isNewUser: false },
        ],
      ]);
      expect(app.store.calls).toContainEqual(['updateUser', { id: 'u1', emailVerified: app.clock.now() }]);
    });

    it('keeps the time of the first link', async () => {
      const app = mailScene(door, { session });
      await app.open(await app.link(address));
      const first = app.clock.now();
      app.clock.advance(3600);
      app.told.length = 0;
      await app.open(await app.link(address));
      expect([...app.store.users.values()]).toEqual([
        expect.objectContaining({ email: address, emailVerified: first }),
      ]);
      expect(app.told.map(([event]) => event)).toEqual(['signIn']);
      expect(app.store.names()).not.toContain('updateUser');
    });

    it('calls jwt with trigger signUp, then signIn', async () => {
      const calls: unknown[] = [];
      const jwt = (params: JWTCallbackParams) => {
        const { token: _, ...facts } = params;
        calls.push(facts);
        return params.token;
      };
      const app = mailScene(door, { session, callbacks: { jwt } });
      await app.open(await app.link(address));
      await app.open(await app.link(address));
      const [user] = app.store.users.values();
      const account = { providerAccountId: address, userId: expect.any(String), type: 'email', provider: 'mail' };
      expect(calls).toEqual(
        strategy === 'jwt'
          ? [
              { user, account, isNewUser: true, trigger: 'signUp' },
              { user, account, isNewUser: false, trigger: 'signIn' },
            ]
          : [],
      );
    });

    it('ends the session of the user who was signed in before', async () => {
      const app = mailScene(door, { session });
      await app.open(await app.link('bob@example.com'));
      const bob = app.browser.clone();
      const page = await app.open(await app.link(address));
      expect(await app.session()).toMatchObject({ user: { email: 'bob@example.com' } });
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
      expect(await app.session()).toMatchObject({ user: { email: address } });
      expect(sessionCookies(app.browser)).toHaveLength(1);
      if (strategy === 'database') {
        expect(app.store.sessions.size).toBe(1);
        expect(await app.session(bob)).toBeNull();
      }
    });

    it('sends a new user to pages.newUser', async () => {
      const app = mailScene(door, { session, pages: { newUser: '/welcome' } });
      expect(leadsTo(await app.open(await app.link(address)))).toBe(
        `/welcome?callbackUrl=${encodeURIComponent('http://localhost:3000/in')}`,
      );
      expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
    });

    it('works in another browser than the one that asked for the link', async () => {
      const app = mailScene(door, { session });
      const link = await app.link(address);
      const phone = app.visitor();
      expect(leadsTo(await app.open(link, phone))).toBe('/in');
      expect(await app.session(phone)).toMatchObject({ user: { email: address } });
      expect(await app.session()).toBeNull();
    });

    it('creates one user for two simultaneous first links', async () => {
      const app = mailScene(door, { session });
      const links = [await app.link(address), await app.link(address)];
      const pages = await Promise.all(links.map((link) => app.open(link, app.visitor())));
      expect(pages.map(leadsTo)).toEqual(['/in', '/in']);
      expect(app.store.users.size).toBe(1);
      expect(app.told.filter(([event]) => event === 'createUser')).toHaveLength(1);
    });

    it('signs in if the store creates the user and loses the answer', async () => {
      const app = mailScene(door, { session });
      const link = await app.link(address);
      app.store.adapter.fail('createUser', 'after');
      expect(leadsTo(await app.open(link))).toBe('/in');
      expect(app.store.users.size).toBe(1);
      expect(app.told.map(([event]) => event)).toEqual(['createUser', 'signIn']);
    });

    it('shows EmailCreateAccount if the user cannot be created, and starts no session', async () => {
      const app = mailScene(door, { session });
      const link = await app.link(address);
      app.store.adapter.fail('createUser', 'before');
      const page = await app.open(link);
      expect(leadsTo(page)).toBe('/auth/signin?error=EmailCreateAccount');
      expect(startsSession(page)).toBe(false);
      expect(app.store.users.size).toBe(0);
      expect(app.log.types()).toEqual(['EmailCreateAccountError']);
      expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
    });

    it('logs the name of a missing adapter method', async () => {
      const app = mailScene(door, { session: { strategy: 'jwt' } });
      Object.assign(app.store.adapter, { createUser: undefined });
      const page = await app.open(await app.link(address));
      expect(leadsTo(page)).toMatch(/^\/auth\/error\?error=Configuration/);
      expect(startsSession(page)).toBe(false);
      expect(app.log.errors[0]?.message).toContain('the adapter has no `createUser`');
    });

    it.each(['useVerificationToken', 'getUserByEmail', 'updateUser'] as const)(
      'starts no session when the store fails in %s',
      async (method) => {
        const app = mailScene(door, { session });
        app.store.users.set('u1', { id: 'u1', email: address, emailVerified: null });
        const link = await app.link(address);
        app.store.adapter.fail(method);
        const page = await app.open(link);
        expect(leadsTo(page)).toMatch(/^\/auth\/error\?error=Configuration/);
        expect(startsSession(page)).toBe(false);
        expect(app.log.types()).toEqual(['AdapterError']);
        expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
      },
    );
  },
);

describe.each(doors)('the log of sign-ins by email through $name', (door) => {
  it.each([
    ['no address', undefined, 'the visitor has not typed a valid address'],
    [address, () => expect.unreachable(), '`normalizeIdentifier` refused the address'],
    [address, () => '', 'the visitor has not typed a valid address'],
  ])('has the reason why %j is refused (%#), and the provider', async (typed, normalizeIdentifier, message) => {
    const app = mailScene(door, {}, { provider: normalizeIdentifier ? { normalizeIdentifier } : {} });
    expect(leadsTo(await app.ask(typed))).toBe('/auth/signin?error=EmailSignin');
    expect(app.log.types()).toEqual(['EmailSignInError']);
    expect(app.log.errors[0]?.message).toMatch(message);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'mail' });
  });

  it('has the reason why a link is refused', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    const wrong = [
      [{ token: undefined }, 'the link has no token', undefined],
      [{ token: '' }, 'the link has no token', undefined],
      [{ email: 'ada' }, 'the link has no valid address', undefined],
      [{ email: '' }, 'the link was used', { found: false, expired: false, hasAddress: false }],
      [{ token: 'f'.repeat(64) }, 'the link was used', { found: false, expired: false, hasAddress: true }],
    ] as const;
    for (const [params] of wrong) await app.open(changed(link, params), app.visitor());
    expect(app.log.types()).toEqual(wrong.map(() => 'Verification'));
    expect(app.log.errors.map(({ cause }) => cause)).toMatchObject(wrong.map(([, , facts]) => facts));
    for (const [index, [, message]] of wrong.entries()) expect(app.log.errors[index]?.message).toContain(message);
  });
});
