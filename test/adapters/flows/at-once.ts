import { expect, it } from 'vitest';
import { fresh, grownBy, type OpenStore } from '../store.ts';
import type { Extent } from '../suite.ts';
import { leadsTo, openShop, person, type Strategy } from './shop.ts';

/** The guards of a store itself against requests that come at once. */
export interface Guards {
  /** It refuses a second user of one address, and a second row of one account. Default: `true`. */
  readonly unique?: boolean | undefined;
  /** It gives a verification token to one of those who ask for it at once. Default: `true`. */
  readonly tokensOnce?: boolean | undefined;
  /** Using one token of an address keeps the other tokens of that address. Default: `true`. */
  readonly tokensApart?: boolean | undefined;
  /** It takes the deletion of a session that is not there for no error. Default: `true`. */
  readonly deletesMissing?: boolean | undefined;
}

const REFUSALS = ['OAuthAccountNotLinked', 'OAuthCreateAccount'];

/**
 * Requests that come at once. The sample is the case in which only the key of the account can refuse a second row. The
 * sample of `adapterSuite` has the case for the key of the address.
 */
export function flowsAtOnce(store: () => OpenStore, strategy: Strategy, guards: Guards, extent: Extent): void {
  const { unique = true, tokensOnce = true, tokensApart = true } = guards;

  const whoHas = { ...(extent === 'whole' && { 'an address': true }), 'no address': false };
  it.each(Object.entries(whoHas))(
    `twenty first sign-ins at once of one account with %s end in one ${unique ? 'user' : 'name'}; a second try succeeds`,
    async (_, hasAddress) => {
      const shop = openShop(store().adapter, strategy);
      const { email, ...nameless } = person({ name: fresh('Ada') });
      const ada = hasAddress ? { ...nameless, email } : nameless;
      const browsers = Array.from({ length: 20 }, () => shop.visitor());
      const grown = await grownBy(store(), async () => {
        const pages = await Promise.all(browsers.map((browser) => shop.signIn(browser, ada)));
        // Without `createUserWithAccount`, some sign-ins find the user before the account is linked. They return to the
        // sign-in page, and none to the error page.
        const places = new Set(pages.map(leadsTo));
        expect(places).toContain('/');
        const refusals = REFUSALS.map((code) => `/auth/signin?error=${code}&`);
        const others = [...places].filter((place) => !refusals.some((refusal) => place?.startsWith(refusal)));
        expect(others).toEqual(['/']);
      });
      if (unique) expect(grown).toMatchObject({ users: 1, accounts: 1 });
      const shown = await Promise.all(
        browsers.map(async (browser) => (await shop.session(browser)) ?? afterAnotherTry(browser)),
      );
      expect(shown.filter((session) => session?.user.name !== ada.name)).toEqual([]);
      if (unique) expect(new Set(shown.map((session) => session?.userId)).size).toBe(1);

      async function afterAnotherTry(browser: (typeof browsers)[number]): ReturnType<typeof shop.session> {
        await shop.signIn(browser, ada);
        return shop.session(browser);
      }
    },
  );

  if (extent === 'sample') return;

  it('ten visitors who sign in at once are ten users, each in a session of their own', async () => {
    const shop = openShop(store().adapter, strategy);
    const people = Array.from({ length: 10 }, (_, index) => ({ ...person({ name: `N${index}` }), at: shop.visitor() }));
    const grown = await grownBy(store(), () => Promise.all(people.map(({ at, ...user }) => shop.signIn(at, user))));
    expect(grown).toEqual({ users: 10, accounts: 10, sessions: 10, tokens: 0 });
    const shown = await Promise.all(people.map(({ at }) => shop.session(at)));
    expect(shown.map((session) => session?.user.email)).toEqual(people.map(({ email }) => email));
    expect(new Set(shown.map((session) => session?.userId)).size).toBe(10);
    expect(shop.errors).toEqual([]);
  });

  it(`of twenty who use one link at once, ${tokensOnce ? 'one gets' : 'some get'} in, and no later visitor`, async () => {
    const shop = openShop(store().adapter, strategy);
    const { email } = person();
    const link = await shop.mailedLink(shop.visitor(), email);
    const browsers = Array.from({ length: 20 }, () => shop.visitor());
    await Promise.all(browsers.map((browser) => shop.open(browser, link)));
    const sessions = await Promise.all(browsers.map((browser) => shop.session(browser)));
    const inside = sessions.filter((session) => session !== null);
    if (tokensOnce) expect(inside).toHaveLength(1);
    expect(inside.map(({ user }) => user.email)).toEqual(inside.map(() => email));
    const late = shop.visitor();
    await shop.open(late, link);
    expect(await shop.session(late)).toBeNull();
  });

  it(`two links of one new address that are used at once ${unique ? 'make one user' : 'let both in'}`, async () => {
    const shop = openShop(store().adapter, strategy);
    const [one, other] = [shop.visitor(), shop.visitor()];
    const { email } = person();
    const [first = '', second = ''] = [await shop.mailedLink(one, email), await shop.mailedLink(one, email)];
    const grown = await grownBy(store(), () => Promise.all([shop.open(one, first), shop.open(other, second)]));
    const shown = [await shop.session(one), await shop.session(other)];
    const inside = shown.filter((session) => session !== null);
    // If using one link deletes the other, the second visitor may find none.
    if (tokensApart) expect(inside).toHaveLength(2);
    expect(new Set(inside.map((session) => session.user.email))).toEqual(new Set([email]));
    if (!unique) return;
    expect(grown.users).toBe(1);
    expect(new Set(inside.map((session) => session.userId)).size).toBe(1);
  });
}
