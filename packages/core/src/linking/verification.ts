import { verifyRequestUrl } from '../config/paths.ts';
import { providersOf } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { type EmailProvider, mailLink, requireAddress, verifyingProvider } from '../identity/email/begin.ts';
import type { Proof } from '../identity/proof.ts';
import { accountHash } from '../identity/proven.ts';
import type { WebAuthnProvider } from '../identity/webauthn/provider.ts';
import { sealedPasskey } from '../identity/webauthn/sealed.ts';
import type { Warning } from '../log/logger.ts';
import type { ResumedSignIn } from '../pending/kinds.ts';
import { reserveMail } from '../rate-limit/reserve.ts';
import { refusal } from './refusal.ts';

/**
 * Mails a link and a code that confirm the address of a proven account. Nothing is stored but the token. The reply is
 * the same whether or not a user has the address. In this browser, the link or the code continues the sign-in. In
 * another one, the link signs in by mail only: the owner of an address must not complete the sign-in of an attacker.
 *
 * @throws {EmailSignInError} if the email provider does not accept the address, or the mail cannot be sent.
 * @throws {RateLimited} if too many mails were sent to the address.
 */
export async function startVerification(context: Context, proof: Proof): Promise<Reply> {
  const { settings, origin, basePath, callbackUrl } = context;
  const providers = providersOf(settings, origin + basePath);
  const mailer = providers.find((provider): provider is EmailProvider => provider.type === 'email');
  const { user, account } = proof;
  const passkeys = providers.find(
    (provider): provider is WebAuthnProvider => provider.type === 'webauthn' && provider.id === account.provider,
  );
  const { email } = user;
  // For the types: `decideUnproven` has found both an email provider and an address.
  if (!mailer || !email) throw refusal('email-unproven', proof);
  await requireAddress(email, mailer);
  const resume = await resumedSignIn(passkeys, proof);
  if (isUntold(proof)) settings.logger.warn(CONFIRMED_BY_MAIL, `provider: ${account.provider}`);
  if (settings.config.rateLimit !== false) await reserveMail(context, email);
  const order = { identifier: email, isMasked: !isTyped(passkeys), returnTo: callbackUrl, resume };
  const { cookies } = await mailLink(context, verifyingProvider(mailer), order);
  return { redirect: verifyRequestUrl(context, mailer, { hasCode: true }), cookies };
}

const CONFIRMED_BY_MAIL: Warning = {
  code: 'address-confirmed-by-mail',
  words:
    'a provider does not tell whether an address is verified, so new users confirm it by mail. If the provider verifies all addresses, set `emailVerification: "always"`.',
};

/** Does the owner perhaps not know that the provider tells nothing? */
function isUntold({ emailStatus, emailVerification, unverifiedEmail }: Proof): boolean {
  return emailStatus === 'unknown' && emailVerification === undefined && unverifiedEmail === undefined;
}

/** The account itself stays with its provider: a cookie has no room for a profile and its tokens. */
async function resumedSignIn(passkeys: WebAuthnProvider | undefined, proof: Proof): Promise<ResumedSignIn> {
  const { provider } = proof.account;
  if (passkeys) return { provider, passkey: sealedPasskey(passkeys, proof) };
  return { provider, account: await accountHash(proof), params: proof.requested };
}

/** Has the visitor typed the address in this browser? Otherwise pages must not show all of it. */
function isTyped(passkeys: WebAuthnProvider | undefined): boolean {
  return passkeys !== undefined && passkeys.getUserInfo === undefined;
}
