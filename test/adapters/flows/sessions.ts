import { expect, it } from 'vitest';
import { grownBy, type OpenStore } from '../store.ts';
import type { Guards } from './at-once.ts';
import { openShop, person, SESSION_COOKIE, type Strategy, sessionCookie } from './shop.ts';

const DAY = 24 * 60 * 60;

/** A session after the sign-in: extension, end, sign-out. */
export function sessionFlows(store: () => OpenStore, strategy: Strategy, { deletesMissing = true }: Guards): void {
  const stored = strategy === 'database';

  it('a session is extended when it is read a day later', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    await shop.signIn(browser, person());
    shop.clock.advance(DAY + 60);
    const read = await grownBy(store(), () => shop.session(browser));
    expect(read).toEqual({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
    shop.clock.advance(29.5 * DAY);
    expect(await shop.session(browser)).not.toBeNull();
    expect(shop.errors).toEqual([]);
  });

  it('a session ends after 30 days without reading, though its cookie was kept', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    await shop.signIn(browser, person());
    const kept = sessionCookie(browser);
    shop.clock.advance(30 * DAY + 60);
    const hoarder = shop.visitor();
    hoarder.cookies.set(SESSION_COOKIE, kept);
    const read = await grownBy(store(), async () => expect(await shop.session(hoarder)).toBeNull());
    // An expired row goes with the first reading.
    expect(read).toEqual({ users: 0, accounts: 0, sessions: stored ? -1 : 0, tokens: 0 });
  });

  it('signing out ends the session, and where sessions are stored those of copied cookies', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    await shop.signIn(browser, person());
    const copy = browser.clone();
    const left = await grownBy(store(), () => shop.signOut(browser));
    expect(left).toEqual({ users: 0, accounts: 0, sessions: stored ? -1 : 0, tokens: 0 });
    expect(await shop.session(browser)).toBeNull();
    expect((await shop.session(copy)) === null).toBe(stored);
    expect(shop.errors).toEqual([]);
  });

  it('a second user who signs in with the same browser does not get the first session', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    const [ada, bob] = [person(), person({ name: 'Bob' })];
    await shop.signIn(browser, ada);
    const before = await shop.session(browser);
    const link = await shop.mailedLink(browser, bob.email);
    const page = await shop.open(browser, link);
    const grown = await grownBy(store(), () => browser.submit(browser.form(page)));
    expect(grown).toEqual({ users: 1, accounts: 0, sessions: 0, tokens: -1 });
    const after = await shop.session(browser);
    expect(after?.user.email).toBe(bob.email);
    expect(after?.userId).not.toBe(before?.userId);
    expect(shop.errors).toEqual([]);
  });

  if (!stored) return;

  it('a session that was deleted in the store is over, and signing out of it works', async () => {
    const shop = openShop(store().adapter, strategy);
    const browser = shop.visitor();
    await shop.signIn(browser, person());
    const token = sessionCookie(browser);
    await store().adapter.deleteSession?.(token);
    const copy = browser.clone();
    expect(await shop.session(browser)).toBeNull();
    await shop.signOut(copy);
    expect(sessionCookie(copy)).toBe('');
    expect(shop.errors.map(({ type }) => type)).toEqual(deletesMissing ? [] : ['SignOutError']);
  });
}
