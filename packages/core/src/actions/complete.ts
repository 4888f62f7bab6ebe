import { chain } from '../chain.ts';
import type { Context, Reply } from '../context.ts';
import { returnTo } from '../guards/return-to.ts';
import { allow } from '../identity/allow.ts';
import type { Settled, Visitor } from '../identity/settle.ts';
import { revisionCookies } from '../session/revision.ts';
import { type SessionStrategy, type SignedIn, strategyOf } from '../session/strategy.ts';
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
  readonly settle?: ((visitor: Visitor) => Awaitable<Settled>) | undefined;
  /** Where this very flow leads. Default: the request's. */
  readonly callbackUrl?: string | undefined;
}

/**
 * The last steps of every sign-in: the application's gate, the store, the session, the event, and the way back.
 */
export function completeSignIn(context: Context, arrival: Arrival): Awaitable<Reply> {
  const { user, account, profile, credentials } = arrival;
  const gate: SignInCallbackParams = { user, account };
  if (profile) gate.profile = profile;
  if (credentials) gate.credentials = credentials;
  return chain(allow(context, gate), (allowed) =>
    allowed.go ? enter(context, arrival) : turnAway(context, allowed.elsewhere),
  );
}

async function turnAway({ origin, settings }: Context, elsewhere: string): Promise<Reply> {
  return { redirect: await returnTo({ origin, ...settings }, elsewhere) };
}

function enter(context: Context, { user, account, profile, settle, callbackUrl }: Arrival): Awaitable<Reply> {
  return chain(strategyOf(context.settings), (strategy) =>
    chain(
      settle?.((isConfirmed) => strategy.currentUser(context, isConfirmed)),
      (settled = { user, isNewUser: false }) =>
        begin(context, strategy, { ...settled, account, profile }, callbackUrl ?? context.callbackUrl),
    ),
  );
}

function begin(context: Context, strategy: SessionStrategy, signedIn: SignedIn, callbackUrl: string): Awaitable<Reply> {
  return chain(strategy.start(context, signedIn), (cookies) =>
    chain(tell(context, signedIn), () => ({
      redirect: destination(context, signedIn, callbackUrl),
      cookies: [...cookies, ...revisionCookies(context)],
    })),
  );
}

function tell({ settings }: Context, { user, account, profile, isNewUser }: SignedIn): Awaitable<void> {
  if (account.type === 'credentials') return settings.emit('signIn', { user, account });
  return settings.emit('signIn', { user, account, ...(profile && { profile }), isNewUser });
}

function destination({ settings }: Context, { isNewUser }: SignedIn, callbackUrl: string): string {
  const { newUser } = settings.pages;
  return isNewUser && newUser ? pagePath(newUser, { callbackUrl }) : callbackUrl;
}
