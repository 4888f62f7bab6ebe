import { expect, it } from 'vitest';
import { grownBy, type OpenStore } from '../store.ts';
import { leadsTo, openShop, person, type Strategy } from './shop.ts';

/** Sign-ins through a provider: whose account it is. */
export function accountFlows(store: () => OpenStore, strategy: Strategy): void {
  const session = strategy === 'database' ? 1 : 0;

  it('a first sign-in makes a user, an account and a session', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    const ada = person();
    const grown = await grownBy(store(), () => shop.signIn(browser, ada));
    expect(shop.errors).toEqual([]);
    expect(grown).toEqual({ users: 1, accounts: 1, sessions: session, tokens: 0 });
    const shown = await shop.session(browser);
    expect(shown?.user).toMatchObject({ name: ada.name, email: ada.email, image: 'https://idp.test/ada.png' });
    const owner = await store().adapter.getUserByAccount?.({ provider: 'first', providerAccountId: ada.sub });
    expect(shown?.userId).toBe(String(owner?.id));
    expect(owner?.emailVerified ?? null).toBeNull();
  });

  it('a returning visitor is the same user, from any browser', async () => {
    const shop = openShop(store().adapter, strategy);
    const [phone, desk] = [shop.visitor(), shop.visitor()];
    const ada = person();
    await shop.signIn(phone, ada);
    const grown = await grownBy(store(), () => shop.signIn(desk, ada));
    expect(grown).toEqual({ users: 0, accounts: 0, sessions: session, tokens: 0 });
    const [before, after] = [await shop.session(phone), await shop.session(desk)];
    expect(after?.userId).toBe(before?.userId);
    expect(shop.errors).toEqual([]);
  });

  it('a second account joins the user who is signed in, and leads to that one later', async () => {
    const shop = openShop(store().adapter, strategy);
    const [phone, desk] = [shop.visitor(), shop.visitor()];
    const [ada, elsewhere] = [person(), person({ name: 'A. L.' })];
    await shop.signIn(phone, ada);
    const grown = await grownBy(store(), () => shop.signIn(phone, elsewhere, 'second'));
    // The session starts anew: the one before goes.
    expect(grown).toEqual({ users: 0, accounts: 1, sessions: 0, tokens: 0 });
    await shop.signIn(desk, elsewhere, 'second');
    expect((await shop.session(desk))?.user).toMatchObject({ name: ada.name, email: ada.email });
    expect((await shop.session(desk))?.userId).toBe((await shop.session(phone))?.userId);
    expect(shop.errors).toEqual([]);
  });

  it('one id at two providers is two people', async () => {
    const shop = openShop(store().adapter, strategy);
    const [one, other] = [shop.visitor(), shop.visitor()];
    const ada = person();
    await shop.signIn(one, ada);
    const grown = await grownBy(store(), () => shop.signIn(other, person({ sub: ada.sub, name: 'Bob' }), 'second'));
    expect(grown).toMatchObject({ users: 1, accounts: 1 });
    expect((await shop.session(one))?.user.name).toBe(ada.name);
    expect((await shop.session(other))?.user.name).toBe('Bob');
    expect(shop.errors).toEqual([]);
  });

  it('an account is refused whose address another user has; nothing is stored', async () => {
    const shop = openShop(store().adapter, strategy);
    const ada = person();
    await shop.signIn(shop.visitor(), ada);
    const mallory = shop.visitor();
    const grown = await grownBy(store(), async () => {
      const page = await shop.signIn(mallory, person({ email: ada.email }), 'second');
      expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked&provider=second');
    });
    expect(grown).toEqual({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
    expect(await shop.session(mallory)).toBeNull();
  });

  it('an account of another user is refused, and the session stays', async () => {
    const shop = openShop(store().adapter, strategy);
    const [ada, bob] = [person(), person({ name: 'Bob' })];
    const browser = shop.visitor();
    await shop.signIn(shop.visitor(), bob, 'second');
    await shop.signIn(browser, ada);
    const grown = await grownBy(store(), async () => {
      const page = await shop.signIn(browser, bob, 'second');
      expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked&provider=second&reason=other-user');
    });
    expect(grown).toEqual({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
    expect((await shop.session(browser))?.user.email).toBe(ada.email);
  });

  it('two profiles without an address are two users', async () => {
    const shop = openShop(store().adapter, strategy);
    const [one, other] = [shop.visitor(), shop.visitor()];
    const grown = await grownBy(store(), async () => {
      await shop.signIn(one, { sub: person().sub, name: 'One' });
      await shop.signIn(other, { sub: person().sub, name: 'Other' });
    });
    expect(shop.errors).toEqual([]);
    expect(grown).toMatchObject({ users: 2, accounts: 2 });
    expect((await shop.session(one))?.user.name).toBe('One');
    expect((await shop.session(other))?.user.name).toBe('Other');
  });
}
