import { Auth } from '@latchkey/core';
import type { Adapter } from '@latchkey/core/adapters';
import type { AuthError } from '@latchkey/core/errors';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, Clock, FakeProvider, type FakeUser, type Page } from '@latchkey/testing';
import { fresh } from '../store.ts';

/** Both ways of keeping sessions. */
export const strategies = ['database', 'jwt'] as const;

export type Strategy = (typeof strategies)[number];

/** A session as {@link Shop.session} shows it. */
export interface Shown {
  readonly user: { readonly name?: string; readonly email?: string; readonly image?: string };
  readonly userId: string;
  readonly expires: string;
}

/** An application with two OpenID providers and mailed links, on the adapter under test. */
export interface Shop {
  readonly clock: Clock;
  /** The errors in the log, without its warnings. */
  readonly errors: AuthError[];
  readonly fake: FakeProvider;
  visitor(): Browser;
  /** Signs in with an account of a provider, from the form to the way back. */
  signIn(browser: Browser, user: FakeUser, provider?: 'first' | 'second'): Promise<Page>;
  /** The mails so far, the oldest first. */
  readonly mails: readonly { readonly url: string; readonly identifier: string; readonly code?: string | undefined }[];
  /** Posts a form with the CSRF token. */
  post(browser: Browser, path: string, fields?: Record<string, string>): Promise<Page>;
  /** Asks for a link and takes it out of the mail. */
  mailedLink(browser: Browser, email: string): Promise<string>;
  /** Follows a link, from a mail program. */
  open(browser: Browser, link: string): Promise<Page>;
  signOut(browser: Browser): Promise<Page>;
  session(browser: Browser): Promise<Shown | null>;
}

/** A new person, whose id and address no other case uses. */
export function person(members: Partial<FakeUser> = {}): FakeUser & { email: string; name: string } {
  const sub = fresh('sub');
  const email = `${sub}@example.com`;
  return {
    sub,
    name: 'Ada O’Lovelace 👩‍🚀',
    email,
    email_verified: true,
    picture: 'https://idp.test/ada.png',
    ...members,
  };
}

/** Options of a shop. */
export interface ShopOptions {
  /** Its mails have a code. Default: `false`. */
  readonly code?: boolean;
  /** `false`: only the store counts attempts. */
  readonly rateLimit?: false;
}

/** Opens the shop. */
export function openShop(adapter: Adapter, strategy: Strategy, { code = false, ...limits }: ShopOptions = {}): Shop {
  const clock = new Clock(new Date());
  const fake = providerWithLongTokens(clock);
  const errors: AuthError[] = [];
  const mails: { url: string; identifier: string; code?: string | undefined }[] = [];
  const config: AuthConfig = {
    adapter,
    ...limits,
    session: { strategy },
    providers: [
      fake.provider({ id: 'first', name: 'first' }),
      fake.provider({ id: 'second', name: 'second' }),
      { id: 'mail', name: 'Mail', type: 'email', code, sendVerificationRequest: (params) => void mails.push(params) },
    ],
    callbacks: {
      session: ({ session, user, token }) => ({ ...session, userId: String(user?.id ?? token?.sub) }),
    },
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => errors.push(error as AuthError), warn: () => undefined },
  };
  const post = async (browser: Browser, path: string, fields: Record<string, string> = {}): Promise<Page> => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken, ...fields });
  };
  return {
    clock,
    errors,
    fake,
    mails,
    post,
    visitor: () => new Browser((request) => Auth(request, config, { now: clock.now }), { now: clock.now }),
    async signIn(browser, user, provider = 'first') {
      const started = await post(browser, `signin/${provider}`);
      const back = await fake.authorize(started.location ?? '', { user });
      return browser.get(back, { site: 'cross-site' });
    },
    async mailedLink(browser, email) {
      const answer = await post(browser, 'signin/mail', { email });
      const mail = mails.findLast(({ identifier }) => identifier === email);
      if (!mail) throw new Error(`no mail to ${email}, the answer leads to ${answer.location}`);
      return mail.url;
    },
    open: (browser, link) => browser.get(link, { site: 'cross-site' }),
    signOut: (browser) => post(browser, 'signout'),
    session: async (browser) => (await browser.get('/auth/session')).json<Shown | null>(),
  };
}

/** Path and query of the address that a page leads to. */
export function leadsTo(page: Page): string | undefined {
  return page.redirect && page.redirect.pathname + page.redirect.search;
}

export const SESSION_COOKIE = 'authjs.session-token';

/** Returns the value of the session cookie; empty if the browser does not have it. */
export function sessionCookie(browser: Browser): string {
  return browser.cookies.get(SESSION_COOKIE)?.value ?? '';
}

/** Its tokens are longer than 255 characters, and come with a member for which no schema has a column. */
function providerWithLongTokens(clock: Clock): FakeProvider {
  const fake = new FakeProvider({ signingAlgorithm: 'ES256', now: clock.now });
  fake.overrides.token = (answer) => ({
    ...answer,
    refresh_token: 'r'.repeat(2000),
    refresh_token_expires_in: 5184000,
  });
  return fake;
}
