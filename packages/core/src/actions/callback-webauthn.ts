import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { settle } from '../identity/settle.ts';
import { settlePasskey } from '../identity/settle-passkey.ts';
import { type Answer, postedCeremony, readAnswer } from '../identity/webauthn/answer.ts';
import {
  type Challenge,
  checkCeremony,
  spendChallenge,
  type Taken,
  takeChallenge,
} from '../identity/webauthn/challenge.ts';
import { finishAuthentication } from '../identity/webauthn/finish-authentication.ts';
import { finishRegistration } from '../identity/webauthn/finish-registration.ts';
import type { WebAuthnProvider } from '../identity/webauthn/provider.ts';
import { strategyOf } from '../session/strategy.ts';
import { completeSignIn } from './complete.ts';
import { oneTime } from './one-time.ts';

/** A browser comes back from a ceremony, by POST only: a challenge that was answered once is gone. */
export async function webauthnCallback(context: Context, provider: WebAuthnProvider): Promise<Reply> {
  if (context.incoming.method !== 'POST')
    throw new InvalidProvider("a passkey's answer is posted", { provider: provider.id });
  const taken = await takeChallenge(context, provider);
  return oneTime(context, provider.id, taken.cookies, () => finish(context, provider, taken));
}

async function finish(context: Context, provider: WebAuthnProvider, taken: Taken): Promise<Reply> {
  const challenge = await spendChallenge(context, provider, taken);
  const ceremony = postedCeremony(context.body, provider);
  checkCeremony(provider, challenge, ceremony);
  const work = ceremony === 'register' ? register : signIn;
  return work(context, provider, challenge, readAnswer(context.body, provider));
}

type Finish = (context: Context, provider: WebAuthnProvider, challenge: Challenge, answer: Answer) => Promise<Reply>;

const signIn: Finish = async (context, provider, challenge, answer) => {
  const proof = await finishAuthentication(context, provider, challenge, answer);
  const { user, account } = proof;
  return completeSignIn(context, { user, account, settle: (visitor) => settlePasskey(context, proof, visitor) });
};

const register: Finish = async (context, provider, challenge, answer) => {
  // Asked once: whoever is signed in now is whom the passkey is stored for.
  const visitor = await (await strategyOf(context.settings)).currentUser(context, true);
  const { proof, keep } = await finishRegistration(context, provider, challenge, answer, visitor);
  const { user, account } = proof;
  return completeSignIn(context, { user, account, settle: () => settle(context, proof, async () => visitor, keep) });
};
