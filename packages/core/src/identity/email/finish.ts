import type { Context } from '../../context.ts';
import { errorOf, Verification } from '../../errors.ts';
import { hasAddress } from '../../store/users.ts';
import type { AdapterUser } from '../../types/adapter.ts';
import type { Authentication, Proof } from '../proof.ts';
import { isMailable, ownIdentifier } from './address.ts';
import type { EmailProvider } from './begin.ts';
import { takeAttempt } from './code.ts';
import { emailStore, type Link, mailerOf, spendToken, userOfAddress } from './store.ts';

/**
 * Reads the parameters of a link. Values that cannot have been mailed reach neither the store nor a page.
 *
 * @throws {Verification} if the token is missing, or the address is not valid.
 */
export function readLink(params: Readonly<Record<string, unknown>>, provider: EmailProvider): Link {
  const { token, email, verifies } = params;
  if (typeof token !== 'string' || token === '') throw new Verification('the link has no token');
  const link = { token, verifies: typeof verifies === 'string' ? verifies : undefined };
  if (!email) return { ...link, email: undefined };
  if (!isMailedAddress(email, provider)) throw new Verification('the link has no valid address');
  return { ...link, email };
}

function isMailedAddress(email: unknown, { normalizeIdentifier }: EmailProvider): email is string {
  return normalizeIdentifier ? ownIdentifier(email) === email : isMailable(email);
}

/** Returns whether a link names the address of this user. A link without an address does not. */
export function isLinkOf({ email }: Link, user: AdapterUser): boolean {
  return email !== undefined && typeof user.email === 'string' && hasAddress(user, email);
}

const BY_MAIL: Authentication = { amr: ['otp'] };

/**
 * Spends a link: the visitor reads the mail of its address. The token is taken from the store before its expiry is
 * checked, so that an expired token cannot be used for a second try. A right code spends the link of its mail.
 *
 * @param by Whether the visitor has opened the link or typed the code.
 * @throws {Verification} if the link was used before, has expired, or was never mailed to this address.
 */
export async function finishEmail(
  context: Context,
  provider: EmailProvider,
  link: Link,
  by: 'link' | 'code',
): Promise<Proof> {
  const { now } = context;
  const store = await emailStore(context);
  const invite = await spendToken(store, link, mailerOf(context, provider));
  // Written as !(a >= b) so that an Invalid Date counts as expired.
  const expired = invite !== null && !(invite.expires.getTime() >= now.getTime());
  if (!invite || expired)
    throw new Verification('the link was used, has expired, or was never sent', {
      found: invite !== null,
      expired,
      hasAddress: link.email !== undefined,
    });
  if (provider.confirm) await removeOtherTokens(context, provider, { ...link, email: invite.identifier }, by);
  const user = await userOfAddress(store, invite.identifier);
  // A store may find users by another identifier, such as a telephone number. Such a user may not have an address.
  const providerAccountId = user.email || invite.identifier;
  return {
    user,
    account: { providerAccountId, userId: user.id, type: 'email', provider: provider.id },
    authentication: BY_MAIL,
  };
}

/**
 * Removes the other tokens of the address if the adapter can do that. With other adapters, removes only the attempts
 * of this mail's code. The link is spent already, so a failure must not end the sign-in.
 */
async function removeOtherTokens(
  context: Context,
  provider: EmailProvider,
  link: Link & { readonly email: string },
  by: 'link' | 'code',
): Promise<void> {
  const store = await emailStore(context);
  try {
    if (store.deleteVerificationTokens) await store.deleteVerificationTokens({ identifier: link.email });
    // An attempt with the code has taken its row before.
    else if (provider.code && by === 'link') await takeAttempt(store, link, mailerOf(context, provider));
  } catch (error) {
    context.settings.logger.error(errorOf(error));
  }
}
