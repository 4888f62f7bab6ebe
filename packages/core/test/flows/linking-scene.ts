import {
  type Application,
  application,
  type Browser,
  Clock,
  FakeProvider,
  type FakeUser,
  type MemoryAdapter,
  memoryAdapter,
  type Page,
} from '@latchkey/testing';
import { expect } from 'vitest';
import type { CallOptions } from '../../src/context.ts';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { leadsTo } from './scene.ts';

export const ADDRESS = 'ada@example.com';
/** The page that asks whether to add an account. */
export const QUESTION = '/auth/offer?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fhome';
/** The sign-in page after an account was offered to a visitor who is signed out. */
export const SIGN_IN_FIRST =
  '/auth/signin?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fhome&error=OAuthAccountNotLinked&provider=second&reason=offer';
/** The account with which Ada signs in. */
export const ada: FakeUser = { sub: 'ada', name: 'Ada', email: ADDRESS, email_verified: true };
/** The account that is offered: it has the address of the user. */
export const verified: FakeUser = { sub: 'ada-2', name: 'Ada', email: ADDRESS, email_verified: true };
/** An account with an address that no user has. */
export const stranger: FakeUser = { sub: 'gmail', name: 'Ada L.', email: 'ada@gmail.example', email_verified: true };

export interface GuidedOptions {
  strategy?: 'jwt' | 'database';
  config?: Partial<AuthConfig>;
  second?: Partial<OIDCConfig<Profile>>;
  withoutMail?: boolean;
  call?: CallOptions;
}

/** An application with two providers, mailed links, and `linking: 'guided'`. Ada signs in with the first provider. */
export interface GuidedScene extends Application<MemoryAdapter> {
  readonly second: FakeProvider;
  /** Signs Ada in with her first account. */
  signInAda(browser?: Browser): Promise<Page>;
  /** Signs in with the second provider, as a visitor who does not ask to add an account. */
  signInSecond(user: FakeUser, browser?: Browser): Promise<Page>;
  /** Comes back from the second provider, to which a page has led. */
  comeBack(page: Page, user: FakeUser, browser?: Browser): Promise<Page>;
  /** Answers the question on the page. */
  answer(page: Page, button: string, browser?: Browser): Promise<Page>;
  /** Follows a page to the question. */
  question(page: Page, browser?: Browser): Promise<Page>;
  /** The accounts of the user with this address, as `provider:id`. */
  accountsOf(address?: string): string[];
  hasOffer(browser?: Browser): boolean;
}

export function guidedScene(options: GuidedOptions = {}): GuidedScene {
  const { strategy = 'jwt', config, second: own, withoutMail, call } = options;
  const adapter = memoryAdapter();
  const clock = new Clock(new Date());
  const second = new FakeProvider({ issuer: 'https://second.test', signingAlgorithm: 'ES256', now: clock.now });
  const app = application({
    adapter,
    clock,
    call,
    config: ({ provider, mail }) => ({
      providers: [
        provider.provider({ name: 'First' }),
        second.provider({ id: 'second', name: 'Second', ...own }),
        ...(withoutMail ? [] : [mail]),
      ],
      session: { strategy },
      linking: 'guided',
      ...config,
    }),
  });
  const { browser: first } = app;
  const home = { callbackUrl: '/home' };
  const comeBack: GuidedScene['comeBack'] = async (page, user, browser = first) => {
    expect(page.redirect?.href).toMatch(second.issuer);
    return app.open(await second.authorize(page.location ?? '', { user }), browser);
  };
  return {
    ...app,
    second,
    comeBack,
    signInAda: (browser = first) => app.signIn({ fields: home, browser, consent: { user: ada } }),
    signInSecond: async (user, browser = first) =>
      comeBack(await app.startSignIn('second', home, browser), user, browser),
    answer: (page, button, browser = first) =>
      browser.submit(browser.form(page, (form) => form.buttons[0]?.text === button)),
    async question(page, browser = first) {
      expect(leadsTo(page)).toBe(QUESTION);
      return browser.get(page.location ?? '');
    },
    accountsOf(address = ADDRESS) {
      const { users, accounts } = adapter.dump();
      const user = users.find(({ email }) => email === address);
      return accounts
        .filter(({ userId }) => userId === user?.id)
        .map((one) => `${one.provider}:${one.providerAccountId}`);
    },
    hasOffer: (browser = first) => browser.cookies.all().some(({ name }) => name === 'authjs.offer'),
  };
}
