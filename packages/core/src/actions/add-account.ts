import { readActor } from '../account/actor.ts';
import { isRecent, recentActor } from '../account/recent.ts';
import { pagePath, signInAgainUrl } from '../config/paths.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { beginOAuth } from '../identity/oauth/begin.ts';
import type { AdapterUser } from '../types/adapter.ts';
import { addWayPage as addWayView } from '../views/add-account.ts';
import type { SignInSite } from '../views/sign-in/data.ts';
import { layoutOf } from '../views/sign-in/layout.ts';
import { pageReply } from '../wire/page.ts';

/**
 * `GET signin?add`, with `account` or `linking: 'guided'`: the page on which a user asks to add an account.
 *
 * @param site Returns the data of the sign-in page, which has the same buttons.
 */
export async function addWayPage(context: Context, site: () => Promise<SignInSite>): Promise<Reply> {
  const { csrfToken, callbackUrl } = context;
  const actor = await readActor(context);
  if (!actor) return signInFirst(context, addWayUrl(context));
  if (!(await isRecent(actor))) return { redirect: signInAgainUrl(context, addWayUrl(context)) };
  const { theme, language, providers, signInUrl } = await site();
  const hasPasskeys = providers.some(({ type }) => type === 'webauthn');
  const page = addWayView({
    ...{ theme, language, csrfToken, callbackUrl },
    user: nameOfUser(actor.user),
    services: layoutOf(providers).services,
    // The step keeps the page for visitors who are signed in away.
    passkeyUrl: hasPasskeys ? pagePath(signInUrl, { step: 'passkey', callbackUrl }) : undefined,
  });
  return pageReply(page);
}

/**
 * `POST signin/<provider>` with the field `add`: sends the user to the provider, to add an account. The request is
 * sealed into the flow, so the callback adds the account to this user only.
 *
 * @throws {RecentSignInRequired} unless the visitor has signed in at most 10 minutes ago.
 */
export async function startAdding(context: Context, provider: OAuthProvider): Promise<Reply> {
  const { user } = await recentActor(context, signInAgainUrl(context, addWayUrl(context)));
  return beginOAuth(context, provider, { startedBy: String(user.id), adds: {} });
}

/** The name by which a page addresses the user who is signed in; `undefined` without address and name. */
export function nameOfUser({ email, name }: AdapterUser): string | undefined {
  return email || name || undefined;
}

/**
 * The sign-in page, from which the visitor comes back.
 *
 * @param callbackUrl Where the visitor goes after the sign-in.
 */
export function signInFirst({ settings, origin, basePath }: Context, callbackUrl: string): Reply {
  const signIn = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  return { redirect: pagePath(signIn, { callbackUrl, error: 'SessionRequired' }) };
}

function addWayUrl({ origin, basePath, callbackUrl }: Context): string {
  return pagePath(`${origin}${basePath}/signin`, { add: '', callbackUrl });
}
