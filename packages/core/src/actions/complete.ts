import type { Context, Reply } from '../context.ts';
import { returnTo } from '../guards/return-to.ts';
import { allow } from '../identity/allow.ts';
import type { Settled, Visitor } from '../identity/settle.ts';
import { revisionCookies } from '../session/revision.ts';
import { type SignedIn, strategyOf } from '../session/strategy.ts';
import type { Account, Awaitable, Profile, SignInCallbackParams, User } from '../types.ts';
import { pagePath } from './page-path.ts';

/** Who has proven to be there, by whichever way. */
export interface Arrival {
  /** The store's user where the account is known, else the one it describes. */
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
  /** What was typed; credentials only. */
  readonly credentials?: SignInCallbackParams['credentials'];
  /** What the sign-in does to the store. Default: nothing. */
  readonly settle?: ((visitor: Visitor) => Promise<Settled>) | undefined;
  /** Where this very flow leads. Default: the request's. */
  readonly callbackUrl?: string | undefined;
}

/**
 * The last steps of every sign-in: the application's gate, the store, the session, the event, and the way back.
 */
export async function completeSignIn(context: Context, arrival: Arrival): Promise<Reply> {
  const { user, account, profile, credentials } = arrival;
  const gate: SignInCallbackParams = { user, account };
  if (profile) gate.profile = profile;
  if (credentials) gate.credentials = credentials;
  const allowed = await allow(context, gate);
  if (!allowed.go) {
    const { origin, settings } = context;
    return { redirect: await returnTo({ origin, ...settings }, allowed.elsewhere) };
  }
  const strategy = await strategyOf(context.settings);
  const settled = (await arrival.settle?.((isConfirmed) => strategy.currentUser(context, isConfirmed))) ?? {
    user,
    isNewUser: false,
  };
  const signedIn: SignedIn = { user: settled.user, account, profile, isNewUser: settled.isNewUser };
  const cookies = [...(await strategy.start(context, signedIn)), ...revisionCookies(context)];
  await tell(context, signedIn);
  return { redirect: destination(context, signedIn, arrival.callbackUrl ?? context.callbackUrl), cookies };
}

function tell({ settings }: Context, { user, account, profile, isNewUser }: SignedIn): Awaitable<void> {
  if (account.type === 'credentials') return settings.emit('signIn', { user, account });
  return settings.emit('signIn', { user, account, ...(profile && { profile }), isNewUser });
}

function destination({ settings }: Context, { isNewUser }: SignedIn, callbackUrl: string): string {
  const { newUser } = settings.pages;
  return isNewUser && newUser ? pagePath(newUser, { callbackUrl }) : callbackUrl;
}
