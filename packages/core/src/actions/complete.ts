import type { Context, Reply } from '../context.ts';
import { returnTo } from '../guards/return-to.ts';
import { allow } from '../identity/allow.ts';
import type { Proof } from '../identity/proof.ts';
import { knownUser, settle } from '../identity/settle.ts';
import { type SignedIn, strategyOf } from '../session/strategy.ts';
import type { Account, Profile, SignInCallbackParams, User } from '../types.ts';
import { pagePath } from './page-path.ts';

/** Who has proven to be there, by whichever way. */
export interface Arrival {
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
  /** What was typed; credentials only. */
  readonly credentials?: SignInCallbackParams['credentials'];
  /** For accounts that are linked to users of the store. */
  readonly proof?: Proof | undefined;
  /** Where this very flow leads. Default: the request's. */
  readonly callbackUrl?: string | undefined;
}

/**
 * The last steps of every sign-in: the application's gate, the store, the session, the event, and the way back.
 */
export async function completeSignIn(context: Context, arrival: Arrival): Promise<Reply> {
  const { account, profile, credentials, proof } = arrival;
  const known = proof && (await knownUser(context, account));
  const gate: SignInCallbackParams = { user: known ?? arrival.user, account };
  if (profile) gate.profile = profile;
  if (credentials) gate.credentials = credentials;
  const allowed = await allow(context, gate);
  if (!allowed.go) {
    const { origin, settings } = context;
    const { callbacks, logger } = settings;
    return { redirect: await returnTo({ origin, callbacks, logger }, allowed.elsewhere) };
  }
  const strategy = await strategyOf(context.settings);
  const settled = proof
    ? await settle(context, proof, () => strategy.currentUser(context))
    : { user: arrival.user, isNewUser: false };
  const signedIn: SignedIn = { user: settled.user, account, profile, isNewUser: settled.isNewUser };
  const cookies = await strategy.start(context, signedIn);
  await tell(context, signedIn);
  return { redirect: destination(context, signedIn, arrival.callbackUrl ?? context.callbackUrl), cookies };
}

async function tell({ settings }: Context, { user, account, profile, isNewUser }: SignedIn): Promise<void> {
  if (account.type === 'credentials') return settings.emit('signIn', { user, account });
  return settings.emit('signIn', { user, account, ...(profile && { profile }), isNewUser });
}

function destination({ settings }: Context, { isNewUser }: SignedIn, callbackUrl: string): string {
  const { newUser } = settings.pages;
  return isNewUser && newUser ? pagePath(newUser, { callbackUrl }) : callbackUrl;
}
