import type { Adapter } from '@latchkey/core/adapters';
import type { Browser, Page } from '@latchkey/testing';
import { expect, it } from 'vitest';
import { grownBy, type OpenStore } from '../store.ts';
import type { Guards } from './at-once.ts';
import { leadsTo, openShop, person, type Shop, type Strategy, sessionCookie } from './shop.ts';

const waiting = '/auth/verify-request?provider=mail&type=email&code=1';
const wrong = `${waiting}&error=Verification`;
const over = '/auth/verify-request?provider=mail&type=email&error=Verification';
const SIMULTANEOUS = 50;

/** Sign-ins through mails with a link and a code. */
export function codeFlows(store: () => OpenStore, strategy: Strategy, guards: Guards): void {
  const { tokensOnce = true, tokensApart = true } = guards;
  const session = strategy === 'database' ? 1 : 0;

  if (tokensApart) {
    it('a mail is requested and sent again, a wrong code is refused, and the right one signs in once', async () => {
      const { shop, browser, email, request, type } = opened();
      const grown = await grownBy(store(), async () => {
        const code = await request();
        shop.clock.advance(61);
        expect(leadsTo(await shop.post(browser, 'signin/mail'))).toBe(waiting);
        expect(shop.mails.map((mail) => mail.code)).toEqual([code, code]);
        expect(leadsTo(await type(otherThan(code)))).toBe(wrong);
        const copy = browser.clone();
        expect(leadsTo(await type(code))).toBe('/');
        expect(leadsTo(await type(code, copy))).toBe(over);
        expect(await shop.session(copy)).toBeNull();
      });
      expect(grown).toEqual({ users: 1, accounts: 0, sessions: session, tokens: 0 });
      expect((await shop.session(browser))?.user.email).toBe(email);
      expect((await store().adapter.getUserByEmail?.(email))?.emailVerified).toBeInstanceOf(Date);
      expect(shop.errors.map((error) => error.type)).toEqual(['Verification', 'Verification']);
    });

    it('five wrong codes spend the link, and leave no row', async () => {
      const { shop, browser, request, type } = opened();
      const grown = await grownBy(store(), async () => {
        const code = await request();
        const copy = browser.clone();
        for (let count = 1; count <= 5; count++)
          expect(leadsTo(await type(otherThan(code), copy))).toBe(count < 5 ? wrong : over);
        expect(leadsTo(await type(code))).toBe(over);
        expect(leadsTo(await confirmed(shop))).toMatch(/^\/auth\/error\?error=Verification/);
      });
      expect(grown).toEqual({ users: 0, accounts: 0, sessions: 0, tokens: 0 });
    });
  } else {
    it('a code does not sign in, because looking for its attempts deletes the link', async () => {
      const { browser, request, type, shop } = opened();
      expect(leadsTo(await type(await request()))).toBe(over);
      expect(await shop.session(browser)).toBeNull();
    });
  }

  it('a link signs in at once in the browser that requested it, and leaves no row', async () => {
    const { shop, browser, email, request } = opened();
    const grown = await grownBy(store(), async () => {
      await request();
      expect(leadsTo(await shop.open(browser, shop.mails[0]?.url ?? ''))).toBe('/');
    });
    expect(grown).toEqual({ users: 1, accounts: 0, sessions: session, tokens: 0 });
    expect((await shop.session(browser))?.user.email).toBe(email);
    expect(shop.errors).toEqual([]);
  });

  it('a link that is opened elsewhere shows a page, whose form signs in and leaves no row', async () => {
    const { shop, email, request } = opened();
    const phone = shop.visitor();
    const grown = await grownBy(store(), async () => {
      await request();
      expect(leadsTo(await confirmed(shop, phone))).toBe('/');
    });
    expect(grown).toEqual({ users: 1, accounts: 0, sessions: session, tokens: 0 });
    expect((await shop.session(phone))?.user.email).toBe(email);
    expect(shop.errors).toEqual([]);
  });

  it(`the ${tokensOnce ? 'store' : 'rate limit'} lets at most five of ${SIMULTANEOUS} wrong codes through at once`, async () => {
    const taken: string[] = [];
    const { browser, request, type } = opened(recording(store().adapter, taken), !tokensOnce);
    const code = await request();
    const copies = Array.from({ length: SIMULTANEOUS }, () => browser.clone());
    await Promise.all(copies.map((copy, index) => type(otherThan(code, index), copy)));
    // Five attempts, and the link, which the fifth wrong code takes.
    expect(taken.length).toBeLessThanOrEqual(6);
    expect(copies.map(sessionCookie).filter(Boolean)).toEqual([]);
    if (tokensOnce) return;
    // Codes that found no row were not checked, and did not count.
    for (let index = 0; index < 5; index++) await type(otherThan(code, index));
    expect(taken.length).toBeLessThanOrEqual(6);
    expect(leadsTo(await type(code))).toBe(over);
  });

  /** A visitor of a shop that mails codes. */
  function opened(adapter = store().adapter, rateLimit = true) {
    const shop = openShop(adapter, strategy, { code: true, ...(!rateLimit && { rateLimit }) });
    const browser = shop.visitor();
    const { email } = person();
    return {
      shop,
      browser,
      email,
      /** Requests a mail, and returns its code. */
      async request(): Promise<string> {
        expect(leadsTo(await shop.post(browser, 'signin/mail', { email }))).toBe(waiting);
        return shop.mails[0]?.code ?? expect.unreachable();
      },
      type: (code: string, by = browser): Promise<Page> => shop.post(by, 'code/mail', { code }),
    };
  }
}

/** Opens the mailed link in another browser, and presses the button of its page. */
async function confirmed(shop: Shop, browser: Browser = shop.visitor()): Promise<Page> {
  return browser.submit(browser.form(await shop.open(browser, shop.mails[0]?.url ?? '')));
}

/** The same adapter. It records the tokens that it returns. */
function recording(adapter: Adapter, taken: string[]): Adapter {
  return {
    ...adapter,
    async useVerificationToken(params) {
      const row = await adapter.useVerificationToken?.(params);
      if (row) taken.push(params.token);
      return row ?? null;
    },
  };
}

/** Another code than that of the mail. */
function otherThan(code: string, index = 0): string {
  return String((Number(code) + 1 + index) % 1e8).padStart(8, '0');
}
