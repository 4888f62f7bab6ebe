import type { Context } from '../context.ts';
import type { Cookie, CookieOption } from '../types/config.ts';

/** Seconds that a browser remembers the provider: 180 days. */
const LASTING = 180 * 86_400;

/** Returns the cookie with the provider of a sign-in. Empty without the option `theme.lastUsed`. */
export function lastUsedCookies(context: Context, provider: string): readonly Cookie[] {
  if (!context.settings.theme.lastUsed) return [];
  return [{ ...option(context), value: provider }];
}

/** Returns the id of the provider that was used last in this browser; `undefined` without the option. */
export function lastUsedProvider(context: Context): string | undefined {
  return context.settings.theme.lastUsed ? context.cookies[option(context).name] : undefined;
}

function option({ cookieTable }: Context): CookieOption {
  const { name, options } = cookieTable.sessionToken;
  const { secure, domain, path } = options;
  const prefix = secure ? (/^__Host-/.exec(name)?.[0] ?? '__Secure-') : '';
  return {
    name: `${prefix}authjs.last`,
    options: { httpOnly: true, sameSite: 'lax', secure, domain, path, maxAge: LASTING },
  };
}
