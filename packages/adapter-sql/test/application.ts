import { Auth, customFetch } from '@latchkey/core';
import type { Adapter } from '@latchkey/core/adapters';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, Clock, DEFAULT_SECRET, FakeProvider, type FakeUser, type Page } from '@latchkey/testing';

/** An application with an OpenID provider, mailed links and database sessions. */
export interface Application {
  readonly clock: Clock;
  /** The logged errors. */
  readonly errors: Error[];
  visitor(): Browser;
  post(browser: Browser, path: string, fields?: Record<string, string>): Promise<Page>;
  /** Signs in with the provider, and follows the callback. */
  signIn(browser: Browser, user?: Partial<FakeUser>): Promise<Page>;
  /** Requests a mailed link and returns its URL. */
  mailedLink(browser: Browser, email: string): Promise<string>;
  session(browser: Browser): Promise<{ user: { email?: string }; expires: string } | null>;
}

/** Opens the application on an adapter. */
export function application(adapter: Adapter, session: AuthConfig['session'] = {}): Application {
  const clock = new Clock(new Date());
  const fake = new FakeProvider({ signingAlgorithm: 'ES256', now: clock.now });
  const errors: Error[] = [];
  const sent: { url: string; identifier: string }[] = [];
  const config: AuthConfig = {
    adapter,
    session: { strategy: 'database', ...session },
    providers: [
      {
        id: 'fake',
        name: 'Fake',
        type: 'oidc',
        issuer: fake.issuer,
        clientId: 'client',
        clientSecret: DEFAULT_SECRET,
        [customFetch]: fake.fetch,
      },
      { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: (params) => void sent.push(params) },
    ],
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => errors.push(error), warn: () => undefined },
  };
  const post = async (browser: Browser, path: string, fields: Record<string, string> = {}): Promise<Page> => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken, ...fields });
  };
  return {
    clock,
    errors,
    visitor: () => new Browser((request) => Auth(request, config, { now: clock.now }), { now: clock.now }),
    post,
    async signIn(browser, user) {
      const started = await post(browser, 'signin/fake');
      const options = user ? { user: { sub: 'ada', ...user } } : {};
      return browser.get(await fake.authorize(started.location ?? '', options), { site: 'cross-site' });
    },
    async mailedLink(browser, email) {
      await post(browser, 'signin/mail', { email });
      const mail = sent.findLast(({ identifier }) => identifier === email);
      if (!mail) throw new Error(`no mail to ${email}`);
      return mail.url;
    },
    session: async (browser) => (await browser.get('/auth/session')).json(),
  };
}
