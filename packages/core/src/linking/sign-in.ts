import { pagePath } from '../config/paths.ts';
import { storeUse } from '../config/provider-options.ts';
import type { Context, Reply } from '../context.ts';
import { AccessDenied, AdapterError, AuthError, errorOf } from '../errors.ts';
import { renewCsrfToken } from '../guards/csrf.ts';
import { resolveReturnTo } from '../guards/return-to.ts';
import type { Proof } from '../identity/proof.ts';
import { lazily } from '../lazy.ts';
import { redact } from '../log/redact.ts';
import type { ResumedSignIn } from '../pending/kinds.ts';
import { lastUsedCookies } from '../session/last-used.ts';
import { revisionCookies } from '../session/revision.ts';
import * as session from '../session/session.ts';
import type { SignedIn } from '../session/strategy.ts';
import { missingMethods, requiredMethods } from '../store/methods.ts';
import type { SignInCallbackParams } from '../types/config.ts';
import type { ProviderType } from '../types/user.ts';
import { findLinkedUser, linkAccount } from './accounts.ts';

const signInAgain = lazily(() => import('./sign-in-again.ts'));
const verification = lazily(() => import('./verification.ts'));
const providerTokens = lazily(() => import('../tokens/sign-in.ts'));
const offers = lazily(() => import('./make-offer.ts'));

/**
 * Checks, before a sign-in starts, that the store can keep it. Otherwise the visitor would learn that only at the end.
 *
 * @throws {MissingAdapterMethods} if a function made the adapter, and it lacks methods that this provider needs.
 * @throws {AdapterError} if the store lacks a table.
 */
export async function requireStore({ settings }: Context, type: ProviderType): Promise<void> {
  const store = await settings.store();
  if (!store) return;
  const problem = missingMethods(store, requiredMethods([type], settings.strategy));
  if (problem) throw problem;
  try {
    await store.ready?.(storeUse(settings));
  } catch (error) {
    if (isMissingTable(error)) throw error;
    // A store that is unavailable may be back when the visitor returns.
    settings.logger.debug('store', 'the store did not answer at the start of a sign-in', () =>
      redact({ error: errorOf(error) }),
    );
  }
}

function isMissingTable(error: unknown): boolean {
  const err = error instanceof AdapterError ? error.cause?.['err'] : undefined;
  return err instanceof Error && 'code' in err && err.code === 'ERR_MISSING_TABLE';
}

/**
 * Completes a sign-in. Every sign-in method ends here: Proof → Allowed → LinkedUser → SignedIn → Reply. If the address
 * of a new account is not proven, the reply leads to the page that asks for the code of a mail.
 *
 * @param attempt The attempt that the rate limit has counted. It is released as soon as the application allows the
 *   sign-in, because some applications check credentials in the `signIn` callback.
 */
export async function completeSignIn(context: Context, proven: Proof, attempt?: CountedAttempt): Promise<Reply> {
  const proof = await withUsableAddress(context, proven);
  const allowed = await askSignInCallback(context, await signInParams(context, proof));
  if (!allowed.ok) return { redirect: await resolveReturnTo(context, allowed.redirectTo) };
  await attempt?.release();
  if (context.settings.needsSignInTime) await (await signInAgain()).requireSameUser(context, proof);
  const linked = await linkAccount(context, proof);
  // Not signed in yet: the sign-in continues when a mail has proven the address.
  if (linked === 'verify') return (await verification()).startVerification(context, proof);
  // The user has to be asked first whether to add the account.
  if ('do' in linked) return (await offers()).makeOffer(context, proof, linked);
  const { account, profile, authentication, isOfOtherBrowser } = proof;
  const { tokens } = context.settings;
  if (tokens && !tokens.isInCookie && proof.stored) {
    await (await providerTokens()).storeSignIn(context, proof, String(linked.user.id));
  }
  const signedIn: SignedIn = { ...linked, account, profile, authentication, isOfOtherBrowser };
  const started = await session.start(context, signedIn);
  const ofTokens = tokens?.isInCookie
    ? await (await providerTokens()).signInCookies(context, proof, { ...started, userId: String(linked.user.id) })
    : [];
  const cookies = [...started.cookies, ...ofTokens, ...(await renewCsrfToken(context))];
  await emitSignIn(context, signedIn);
  const hints = [...lastUsedCookies(context, account.provider), ...revisionCookies(context)];
  const reply = { redirect: destination(context, signedIn), cookies: [...cookies, ...hints] };
  return isOfferPending(context) ? (await offers()).withOffer(context, signedIn, reply) : reply;
}

function isOfferPending({ settings, cookies, cookieTable }: Context): boolean {
  return settings.isGuided && cookies[cookieTable.offer.name] !== undefined;
}

/**
 * Without a store, applications recognize users by their address. An address that is not verified, according to the
 * provider, can belong to another person. The user does not get it, unless the provider's option allows it. The profile
 * still has it.
 */
async function withUsableAddress({ settings }: Context, proof: Proof): Promise<Proof> {
  const { emailStatus, emailVerification, unverifiedEmail, user } = proof;
  const isDoubtful = emailStatus === 'unverified' || (emailStatus === 'unknown' && emailVerification === 'never');
  if (!isDoubtful || unverifiedEmail === 'allow' || (await settings.store())) return proof;
  return { ...proof, user: { ...user, email: null } };
}

/** An attempt that the rate limit has counted. */
export interface CountedAttempt {
  release(): Promise<void>;
}

/** A sign-in that continues, because a mail has proven its address. */
export interface ProvenSignIn {
  /** The proven address. */
  readonly email: string;
  readonly resume: ResumedSignIn;
  /** The attempt to type the code that the rate limit has counted. */
  readonly attempt?: CountedAttempt | undefined;
}

/** Continues a sign-in whose address was proven in the browser that asked for the mail. */
export type Resume = (context: Context, proven: ProvenSignIn) => Promise<Reply>;

/**
 * The application's answer to "may this visitor sign in?". `redirectTo` is where to go instead, not yet validated.
 */
export type Allowed = { readonly ok: true } | { readonly ok: false; readonly redirectTo: string };

/**
 * Asks the `signIn` callback.
 *
 * @throws {AccessDenied} if it returns a falsy value or throws; an {@link AuthError} that it throws is passed on.
 */
export async function askSignInCallback({ settings }: Context, params: SignInCallbackParams): Promise<Allowed> {
  let answer: unknown;
  try {
    answer = await settings.callbacks.signIn(params);
  } catch (error) {
    throw error instanceof AuthError ? error : new AccessDenied(errorOf(error));
  }
  if (typeof answer === 'string' && answer !== '') return { ok: false, redirectTo: answer };
  if (!answer) throw new AccessDenied('the `signIn` callback refused');
  return { ok: true };
}

/** The user that the callback sees is the stored one if the account is known. */
async function signInParams(context: Context, proof: Proof): Promise<SignInCallbackParams> {
  const { account, profile, credentials, emailStatus } = proof;
  const user = (await findLinkedUser(context, proof)) ?? proof.user;
  return {
    user,
    account,
    ...(profile && { profile }),
    ...(credentials && { credentials }),
    ...(emailStatus && { emailStatus }),
  };
}

async function emitSignIn({ settings }: Context, { user, account, profile, isNewUser }: SignedIn): Promise<void> {
  if (account.type === 'credentials') await settings.emit('signIn', { user, account });
  else await settings.emit('signIn', { user, account, ...(profile && { profile }), isNewUser });
}

function destination({ settings, callbackUrl }: Context, { isNewUser }: SignedIn): string {
  const { newUser } = settings.pages;
  return isNewUser && newUser ? pagePath(newUser, { callbackUrl }) : callbackUrl;
}
