import type { AdapterUser } from '../../adapters.ts';
import type { Context } from '../../context.ts';
import { Verification } from '../../errors.ts';
import type { Account } from '../../types.ts';
import { isMailable, ownIdentifier } from './address.ts';
import type { EmailProvider } from './begin.ts';
import { emailStore } from './store.ts';
import { type Link, spendToken } from './token.ts';
import { userOf } from './user.ts';

/** A link that was used: this visitor reads the mail of that address. */
export interface EmailProof {
  readonly user: AdapterUser;
  readonly account: Account;
}

/**
 * Reads a link's parameters. What could not have been mailed goes no further: not into the store, and not onto a page.
 *
 * @throws {Verification} when there is no token, or the address is none.
 */
export function readLink(params: Readonly<Record<string, unknown>>, provider: EmailProvider): Link {
  const { token, email } = params;
  if (typeof token !== 'string' || token === '') throw new Verification('the link has no token');
  if (!email) return { token, email: undefined };
  const isMeant = provider.normalizeIdentifier ? ownIdentifier(email) === email : isMailable(email);
  if (!isMeant) throw new Verification('the link has no good address');
  return { token, email: email as string };
}

/**
 * Spends a link. The token is taken from the store before it is judged, so that no answer leaves it usable.
 *
 * @throws {Verification} when it was used before, has expired, or was never mailed to this address.
 */
export async function finishEmail(context: Context, provider: EmailProvider, link: Link): Promise<EmailProof> {
  const { settings, now } = context;
  const store = await emailStore(context);
  const invite = await spendToken(store, link, provider, settings);
  // The other way round, an instant that is none (`Invalid Date`) would never have passed.
  const expired = invite !== null && !(invite.expires.getTime() >= now.getTime());
  if (!invite || expired)
    throw new Verification('the link was used, has expired, or was never sent', {
      found: invite !== null,
      expired,
      hasAddress: link.email !== undefined,
    });
  const user = await userOf(context, invite.identifier);
  return { user, account: { providerAccountId: user.email, userId: user.id, type: 'email', provider: provider.id } };
}
