import type { Context } from '../context.ts';
import { type Entered, isSecure, queryOf } from './admit.ts';

/** For actions that look at nothing of the visitor's. */
export function bareContext(entered: Entered): Context {
  const { settings, call, origin, url } = entered;
  return {
    ...entered,
    now: call.now?.() ?? new Date(),
    cookieTable: settings.cookieTable(isSecure(entered)),
    cookies: {},
    query: queryOf(url),
    csrfToken: undefined,
    browser: undefined,
    callbackUrl: origin,
    cookiesToSet: [],
  };
}
