import { Auth, customFetch } from '@latchkey/core';
import type { Adapter } from '@latchkey/core/adapters';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, Clock, DEFAULT_SECRET, FakeProvider, type Page } from '@latchkey/testing';

/** An application with a store, an OpenID provider and mailed links. */
export interface Application {
  readonly fake: FakeProvider;
  readonly clock: Clock;
  /** What was logged as an error. */
  readonly errors: Error[];
  visitor(): Browser;
  post(browser: Browser, path: string, fields?: Record<string, string>): Promise<Page>;
  signIn(browser: Browser): Promise<Page>;
  session(browser: Browser): Promise<{ user: { email: string }; expires: string } | null>;
  /** Asks for a mail, and takes the link out of it. */
  link(browser: Browser, email: string): Promise<string>;
}

export function application(adapter: Adapter, config: Partial<AuthConfig> = {}): Application {
  const clock = new Clock(new Date());
  const fake = new FakeProvider({ signingAlgorithm: 'ES256', now: clock.now });
  const errors: Error[] = [];
  const links: string[] = [];
  const whole: AuthConfig = {
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
      { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: ({ url }) => void links.push(url) },
    ],
    adapter,
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => errors.push(error), warn: () => undefined },
    ...config,
  };
  const post: Application['post'] = async (browser, path, fields = {}) => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken, ...fields });
  };
  return {
    fake,
    clock,
    errors,
    visitor: () => new Browser((request) => Auth(request, whole, { now: clock.now }), { now: clock.now }),
    post,
    signIn: async (browser) => {
      const started = await post(browser, 'signin/fake');
      return browser.get(await fake.authorize(started.location ?? ''), { site: 'cross-site' });
    },
    session: async (browser) => (await browser.get('/auth/session')).json(),
    link: async (browser, email) => {
      await post(browser, 'signin/mail', { email });
      const link = links.at(-1);
      if (link === undefined) throw new Error('no mail was sent');
      return link;
    },
  };
}
