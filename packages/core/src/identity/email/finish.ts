import type { AdapterUser } from '../../adapters.ts';
import type { Context } from '../../context.ts';
import { MissingAdapter, Verification } from '../../errors.ts';
import type { Account } from '../../types.ts';
import { type EmailProvider, userOf } from './begin.ts';
import { spendToken } from './token.ts';

/** A link that was used: this visitor reads the mail of that address. */
export interface EmailProof {
  readonly user: AdapterUser;
  readonly account: Account;
}

/** What a link carries. */
export interface Link {
  readonly token: string;
  readonly email: string;
}

/**
 * Reads a link's parameters.
 *
 * @throws {Verification} when they are not all there.
 */
export function readLink(params: Readonly<Record<string, unknown>>): Link {
  const { token, email } = params;
  if (typeof token === 'string' && token !== '' && typeof email === 'string' && email !== '') return { token, email };
  throw new Verification('the link is not complete', { hasToken: Boolean(token), hasAddress: Boolean(email) });
}

/**
 * Spends a link. The token is taken from the store before it is judged, so that no answer leaves it usable.
 *
 * @throws {Verification} when it was used before, has expired, or was never mailed to this address.
 */
export async function finishEmail(context: Context, provider: EmailProvider, link: Link): Promise<EmailProof> {
  const { settings, now } = context;
  const store = await settings.store();
  if (!store) throw new MissingAdapter('sign-in by email keeps its tokens in a store. Add an `adapter`');
  const invite = await spendToken(store, { identifier: link.email, token: link.token }, provider, settings);
  const expired = invite !== null && invite.expires.getTime() < now.getTime();
  if (!invite || expired)
    throw new Verification('the link was used before, has expired, or was never sent', {
      found: invite !== null,
      expired,
    });
  const user = await userOf(context, invite.identifier);
  return { user, account: { providerAccountId: user.email, userId: user.id, type: 'email', provider: provider.id } };
}
