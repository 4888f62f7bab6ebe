import { Auth } from '@latchkey/core';
import type { AuthConfig, Session } from '@latchkey/core/types';
import { Browser, type BrowserOptions, type Page } from '@latchkey/testing';

export const SECRET = 'a-secret-of-the-runtimes-flows-and-of-no-other-tests';

/** An application and a visitor. */
export interface Application {
  readonly browser: Browser;
  /** Types of the errors that were logged so far. */
  readonly errors: readonly string[];
  /** Posts the fields with a CSRF token. */
  post(path: string, fields?: Record<string, string>): Promise<Page>;
  session(): Promise<Session | null>;
  /** Lets days go by for the application and the browser. */
  wait(days: number): void;
}

/** An application behind `Auth`. */
export function application(own: Partial<AuthConfig>, options: Omit<BrowserOptions, 'now'> = {}): Application {
  const errors: string[] = [];
  const logger = {
    error: (error: Error): void => void errors.push('type' in error ? String(error.type) : error.name),
    warn: (): void => {},
    debug: (): void => {},
  };
  const config: AuthConfig = { providers: [], secret: SECRET, trustHost: true, logger, ...own };
  // Not a clock that stands still: providers in these flows have the real time.
  const waited = { days: 0 };
  const now = (): Date => new Date(Date.now() + waited.days * 24 * 60 * 60 * 1000);
  const browser = new Browser((request) => Auth(request, config, { now }), { ...options, now });
  return {
    browser,
    errors,
    async post(path, fields = {}) {
      const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      return browser.post(`/auth/${path}`, { csrfToken, ...fields });
    },
    session: async () => (await browser.get('/auth/session')).json<Session | null>(),
    wait(days) {
      waited.days += days;
    },
  };
}

/** Path and query of the address that a page leads to. */
export function leadsTo({ redirect }: Page): string | undefined {
  return redirect && redirect.pathname + redirect.search;
}

/** Names of the session's cookies that the visitor has. */
export function sessionCookies({ browser }: Application): string[] {
  const names = browser.cookies.all().map(({ name }) => name);
  return names.filter((name) => /session-token(\.\d+)?$/.test(name)).sort();
}

/** The visitor's cookies as a request carries them. */
export function cookieHeader({ browser }: Application): string {
  return browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}
