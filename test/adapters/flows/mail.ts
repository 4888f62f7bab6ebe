import { expect, it } from 'vitest';
import { grownBy, type OpenStore } from '../store.ts';
import type { Guards } from './at-once.ts';
import { leadsTo, openShop, person, type Strategy } from './shop.ts';

/** Sign-ins through mailed links. */
export function mailFlows(store: () => OpenStore, strategy: Strategy, { tokensApart = true }: Guards): void {
  const session = strategy === 'database' ? 1 : 0;

  it('a mailed link makes a verified user, once', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    const { email } = person();
    const grown = await grownBy(store(), async () => {
      const link = await shop.mailedLink(browser, email);
      await shop.open(browser, link);
      const again = shop.visitor();
      expect(leadsTo(await shop.open(again, link))).toMatch(/^\/auth\/error\?error=Verification/);
      expect(await shop.session(again)).toBeNull();
    });
    expect(grown).toEqual({ users: 1, accounts: 0, sessions: session, tokens: 0 });
    expect((await shop.session(browser))?.user.email).toBe(email);
    const user = await store().adapter.getUserByEmail?.(email);
    expect(user?.emailVerified).toBeInstanceOf(Date);
    expect(Math.abs(Number(user?.emailVerified) - shop.clock.now().getTime())).toBeLessThan(1000);
    expect(shop.errors.map(({ type }) => type)).toEqual(['Verification']);
  });

  it('a mailed link signs in the user who has the address, and verifies it', async () => {
    const shop = openShop(store().adapter, strategy);
    const [browser, mailProgram] = [shop.visitor(), shop.visitor()];
    const ada = person();
    await shop.signIn(browser, ada);
    const link = await shop.mailedLink(browser, ada.email);
    const grown = await grownBy(store(), () => shop.open(mailProgram, link));
    expect(grown).toEqual({ users: 0, accounts: 0, sessions: session, tokens: -1 });
    expect((await shop.session(mailProgram))?.user).toEqual((await shop.session(browser))?.user);
    expect((await shop.session(mailProgram))?.userId).toBe((await shop.session(browser))?.userId);
    expect((await store().adapter.getUserByEmail?.(ada.email))?.emailVerified).toBeInstanceOf(Date);
    expect(shop.errors).toEqual([]);
  });

  it(`${tokensApart ? 'each' : 'one'} of two links of one address works`, async () => {
    const shop = openShop(store().adapter, strategy);
    const [one, other, late] = [shop.visitor(), shop.visitor(), shop.visitor()];
    const { email } = person();
    const links = [await shop.mailedLink(one, email), await shop.mailedLink(one, email)];
    for (const [index, browser] of [other, one].entries()) await shop.open(browser, links[index] ?? '');
    const user = await shop.session(other);
    expect(user?.user.email).toBe(email);
    expect((await shop.session(one))?.userId).toBe(tokensApart ? user?.userId : undefined);
    expect(shop.errors.map(({ type }) => type)).toEqual(tokensApart ? [] : ['Verification']);
    await shop.open(late, await shop.mailedLink(late, email));
    expect((await shop.session(late))?.userId).toBe(user?.userId);
  });

  it('an address that is similar to that of another user does not sign in as that user', async () => {
    const shop = openShop(store().adapter, strategy);
    const [owner, lookAlike] = [shop.visitor(), shop.visitor()];
    const ada = person();
    await shop.signIn(owner, ada);
    // Many collations treat the two as one address, but the owner of the other domain gets this mail.
    const link = await shop.mailedLink(lookAlike, ada.email.replace('example', 'ex\u00e4mple'));
    await shop.open(lookAlike, link);
    expect((await shop.session(lookAlike))?.userId).not.toBe((await shop.session(owner))?.userId);
  });

  it('an expired link does not sign in', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    const { email } = person();
    const link = await shop.mailedLink(browser, email);
    shop.clock.advance(25 * 60 * 60);
    const grown = await grownBy(store(), async () => {
      expect(leadsTo(await shop.open(browser, link))).toMatch(/^\/auth\/error\?error=Verification/);
    });
    expect(grown).toMatchObject({ users: 0, sessions: 0 });
    expect(await shop.session(browser)).toBeNull();
    expect(await store().adapter.getUserByEmail?.(email)).toBeFalsy();
  });
}
