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
