import { application, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { change, kinds, makeGate, makeSite } from '../account/scene.ts';

describe.each([undefined, 'guided'] as const)('with linking %s', (linking) => {
  it('a provider whose configuration is refused adds no account', async () => {
    const app = application({
      adapter: memoryAdapter(),
      config: ({ provider, mail }) => ({
        providers: [provider.provider(), provider.provider({ id: 'bad', authorization: 'http://bad.example/' }), mail],
        account: {},
        ...(linking && { linking }),
      }),
    });
    await app.signIn();
    for (const [path, fields] of [
      ['signin/bad', {}],
      ['account/link', { provider: 'bad' }],
    ] as const) {
      const page = await app.post(path, fields);
      expect(page.location, path).toContain('/auth/error?error=Configuration');
    }
    expect(app.browser.cookies.has('authjs.state')).toBe(false);
  });
});

describe.each(kinds)('a stolen session that is not recent (%s)', (kind) => {
  const own = { id: 'second', consent: { user: { sub: 'mallory', email: 'mallory@example.com' } } };

  it('does not become recent by a sign-in with another account, which is not added', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(601);
    const page = await app.signIn({ ...own, fields: { callbackUrl: '/me' } });
    expect(page.location).toBe(
      'http://localhost:3000/auth/account/sign-in?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fme',
    );
    expect(app.log.types()).toEqual(['RecentSignInRequired']);
    expect(app.adapter.dump().accounts).toHaveLength(1);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect((await change(app, 'name', { name: 'Mallory' })).json()).toMatchObject({ error: 'RecentSignInRequired' });
  });

  it('adds no account on request, with the form or the function', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(601);
    for (const [path, fields] of [
      ['signin/second', { add: '1' }],
      ['account/link', { provider: 'second' }],
    ] as const) {
      expect((await app.post(path, fields)).location, path).toContain('/auth/account/sign-in?callbackUrl=');
    }
    expect((await app.browser.get('/auth/signin?add')).location).toContain('/auth/account/sign-in?callbackUrl=');
    expect(app.browser.cookies.has('authjs.state')).toBe(false);
  });
});

describe.each(kinds)('a recent session (%s)', (kind) => {
  it('adds an account, and an account of the user makes it recent', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(599);
    await app.signIn({ id: 'second', consent: { user: { sub: 'ada-second', email: 'ada@second.example' } } });
    expect(app.adapter.dump().accounts).toHaveLength(2);
    app.clock.advance(601);
    await app.signIn({ id: 'second', consent: { user: { sub: 'ada-second', email: 'ada@second.example' } } });
    expect((await change(app, 'name', { name: 'Ada L.' })).json()).toEqual({});
    expect(app.log.types()).toEqual([]);
  });

  it('adds an account on the page for that', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await app.browser.get('/auth/signin?add');
    const form = app.browser.forms(page).find(({ action }) => action.endsWith('/auth/signin/second'));
    expect(form?.fields.map(({ name }) => name)).toContain('add');
    const started = await app.browser.submit(form as NonNullable<typeof form>);
    app.clock.advance(30);
    const consent = { user: { sub: 'ada-second', email: 'ada@second.example' } };
    await app.open(await app.provider.authorize(started.redirect ?? '', consent));
    expect(app.adapter.dump().accounts).toHaveLength(2);
  });

  it('adds the account that it has asked for, also if the provider takes a while', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(599);
    const { url } = (await change(app, 'link', { provider: 'second' })).json<{ url: string }>();
    const callback = await app.provider.authorize(url, { user: { sub: 'ada-second', email: 'ada@second.example' } });
    app.clock.advance(30);
    await app.open(callback);
    expect(app.adapter.dump().accounts).toHaveLength(2);
  });

  it('that has ended adds no account, and the account that it has asked for makes no user', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const { url } = (await change(app, 'link', { provider: 'second' })).json<{ url: string }>();
    const callback = await app.provider.authorize(url, { user: { sub: 'ada-second', email: 'ada@second.example' } });
    await app.signOut();
    expect((await app.open(callback)).location).toContain('error=OAuthAccountNotLinked');
    expect(app.adapter.dump()).toMatchObject({ users: { length: 1 }, accounts: { length: 1 } });
  });
});

describe('without the option', () => {
  it('a session of any age adds an account, as in Auth.js', async () => {
    const app = makeSite('jwt', {}, { account: false });
    await app.signIn();
    app.clock.advance(3600);
    await app.signIn({ id: 'second', consent: { user: { sub: 'ada-second', email: 'ada@second.example' } } });
    expect(app.adapter.dump().accounts).toHaveLength(2);
  });
});

describe.each(kinds)('a link of another site (%s)', (kind) => {
  it('does not make the browser forget a recent sign-in', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await app.browser.get('/auth/account/sign-in?callbackUrl=/inbox', { site: 'cross-site' });
    expect(page.location).toBe('http://localhost:3000/inbox');
    expect((await change(app, 'name', { name: 'Ada L.' })).json()).toEqual({});
  });
});

describe.each(['jwt with records', 'database with records'] as const)('the deletion of an account (%s)', (kind) => {
  it('starts no session for a sign-in that begins during it', async () => {
    const undone = makeGate();
    const found = makeGate();
    let signedIn: Promise<unknown> | undefined;
    let begin: (() => Promise<unknown>) | undefined;
    const app = makeSite(kind, {
      async beforeDelete() {
        app.clock.advance(1);
        signedIn = begin?.();
        await found.opened;
        app.clock.advance(1);
      },
    });
    await app.signIn();
    const other = app.visitor();
    const started = await app.startSignIn('fake', {}, other);
    const callback = await app.provider.authorize(started.redirect ?? '');
    begin = () => app.open(callback, other);
    const { updateAccount } = app.adapter;
    // The sign-in has found its user, and waits for the store.
    app.adapter.updateAccount = async (account) => {
      found.open();
      await undone.opened;
      return updateAccount(account);
    };
    expect((await change(app, 'delete')).json()).toEqual({ deleted: true });
    undone.open();
    await signedIn;
    expect(await app.session(other)).toBeNull();
  });
});
