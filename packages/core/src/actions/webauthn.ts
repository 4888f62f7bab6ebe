import type { Context, Reply } from '../context.ts';
import { InvalidProvider, RecentSignInRequired, TooManyWays } from '../errors.ts';
import { isFromSite } from '../guards/origin.ts';
import { postedCeremony, readAnswer } from '../identity/webauthn/answer.ts';
import { finishAuthentication } from '../identity/webauthn/authenticate.ts';
import { beginWebAuthn } from '../identity/webauthn/begin.ts';
import { checkCeremony, readChallenge } from '../identity/webauthn/challenge.ts';
import type { Ceremony, WebAuthnProvider } from '../identity/webauthn/provider.ts';
import { finishRegistration } from '../identity/webauthn/register.ts';
import { openedPasskey } from '../identity/webauthn/sealed.ts';
import { completeSignIn, type ProvenSignIn } from '../linking/sign-in.ts';
import { take } from '../pending/pending.ts';
import { currentUser } from '../session/session.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { WebAuthnOptionsResponseBody } from '../types/provider.ts';
import { noCache } from './session.ts';

/** `GET webauthn-options/<provider>`: what a browser needs to use or create a passkey. */
export async function passkeyOptions(context: Context, provider: WebAuthnProvider): Promise<Reply> {
  const { action } = context.query;
  if (!isCeremony(action)) return refused('Invalid action');
  // A link of another site would replace the challenge of a ceremony that the visitor has begun.
  if (!isFromSite(context)) return refused('Invalid request');
  const user = await confirmedUser(context);
  const refusal = user && action === 'register' ? await refusalToAdd(context, user) : undefined;
  if (refusal !== undefined) return refused(refusal);
  const begun = await beginWebAuthn(context, provider, action, user);
  if (!begun) return refused('Invalid request');
  const body = { action: begun.action, options: begun.options } as WebAuthnOptionsResponseBody;
  return { headers: noCache, body, cookies: begun.cookies };
}

/** Returns the code of the error if the visitor cannot add a passkey now. */
async function refusalToAdd(context: Context, { id }: AdapterUser): Promise<string | undefined> {
  const { settings } = context;
  if (!settings.needsSignInTime) return undefined;
  const { isRecentVisitor } = await import('../account/recent.ts');
  if (!(await isRecentVisitor(context))) return RecentSignInRequired.shown;
  const { roomFor } = await import('../account/limit.ts');
  const store = await settings.store();
  return store && (await roomFor(store, id, 'webauthn')) <= 0 ? TooManyWays.shown : undefined;
}

function isCeremony(action: string | undefined): action is Ceremony | undefined {
  return action === undefined || action === 'authenticate' || action === 'register';
}

function refused(error: string): Reply {
  return { status: 400, headers: noCache, body: { error } };
}

/** The user who is signed in, if the application still accepts the session. */
async function confirmedUser(context: Context): Promise<AdapterUser | null> {
  return currentUser(context, true);
}

/** `POST callback/<provider>`: the browser answers a challenge, which can be answered once. */
export async function webauthnCallback(context: Context, provider: WebAuthnProvider): Promise<Reply> {
  if (context.incoming.method !== 'POST')
    throw new InvalidProvider('the answer of a passkey must be sent by POST', { provider: provider.id });
  const flow = await take(context, 'passkey', { provider: provider.id });
  context.spentCookies.push(...flow.cookies);
  const challenge = readChallenge(await flow.spend());
  const ceremony = postedCeremony(context.body, provider);
  checkCeremony(provider, challenge, ceremony);
  const answer = readAnswer(context.body, provider);
  if (ceremony === 'authenticate')
    return completeSignIn(context, await finishAuthentication(context, provider, challenge, answer));
  // Read once: the passkey is stored for the user who is signed in now.
  const signedIn = await confirmedUser(context);
  const { proof, authenticator } = await finishRegistration(context, provider, challenge, answer, signedIn);
  return completeSignIn(context, { ...proof, authenticator, signedIn });
}

/** After a mail has proven the address: stores the new passkey that waited in the cookie of the mail. */
export async function resumeRegistration(
  context: Context,
  provider: WebAuthnProvider,
  { email, resume, attempt }: ProvenSignIn,
): Promise<Reply> {
  return completeSignIn(context, await openedPasskey(context, provider, resume, email), attempt);
}
