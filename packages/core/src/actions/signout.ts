import type { Context, Reply } from '../context.ts';
import { renewCsrfToken } from '../guards/csrf.ts';
import { lazily } from '../lazy.ts';
import { revisionCookies } from '../session/revision.ts';
import * as session from '../session/session.ts';

const logout = lazily(() => import('./logout.ts'));
const tokens = lazily(() => import('../tokens/visitor.ts'));

/**
 * `POST signout`: ends the session, in the browser and in the store. With `logout.provider`, the reply leads to the
 * provider, unless the form has the field `provider` with the value `false`.
 */
export async function signOut(context: Context): Promise<Reply> {
  const { provider } = context.body;
  const isAtProvider = context.settings.logout.provider && provider !== 'false' && provider !== false;
  // Read first: afterwards the session is unknown.
  const atProvider = isAtProvider ? await (await logout()).logoutProvider(context) : undefined;
  if (context.settings.tokens?.revokeOnSignOut) await (await tokens()).revokeAtSignOut(context);
  const { cookies, ended } = await session.end(context);
  if (ended) await context.settings.emit('signOut', ended);
  return {
    redirect: (atProvider && (await (await logout()).providerSignOutUrl(context, atProvider))) ?? context.callbackUrl,
    cookies: [...cookies, ...(await renewCsrfToken(context)), ...revisionCookies(context)],
  };
}
