import type { Adapter } from '@latchkey/core/adapters';
import type { AuthConfig } from '@latchkey/core/types';
import { type Browser, type Clock, type FakeUser, type Page, application as testApplication } from '@latchkey/testing';

/** An application with an OpenID provider, mailed links and database sessions. */
export interface Application {
  readonly clock: Clock;
  /** The logged errors. */
  readonly errors: readonly Error[];
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
  const app = testApplication({ adapter, config: { session: { strategy: 'database', ...session } } });
  return {
    clock: app.clock,
    errors: app.log.errors,
    visitor: app.visitor,
    post: (browser, path, fields) => app.post(path, fields, browser),
    signIn: (browser, user) => app.signIn({ browser, consent: user ? { user: { sub: 'ada', ...user } } : {} }),
    async mailedLink(browser, email) {
      // Several visitors may ask at once.
      await app.post('signin/mail', { email }, browser);
      const mail = app.mails.findLast(({ identifier }) => identifier === email);
      if (!mail) throw new Error(`no mail to ${email}`);
      return mail.url;
    },
    session: async (browser) => (await browser.get('/auth/session')).json(),
  };
}
