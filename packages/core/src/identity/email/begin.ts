import type { AdapterUser } from '../../adapters.ts';
import { errorOf } from '../../config/hooks.ts';
import type { ProviderUrls } from '../../config/provider.ts';
import { need } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { randomHex } from '../../crypto/random.ts';
import { EmailSignInError, MissingAdapter } from '../../errors.ts';
import type { EmailConfig } from '../../providers/email.ts';
import type { Account, User } from '../../types.ts';
import { requestWithFields } from '../request.ts';
import { canonicalAddress, ownIdentifier } from './address.ts';
import { tokenHash } from './token.ts';

/** A provider that mails links, and where they lead. */
export type EmailProvider = EmailConfig & ProviderUrls;

const TOKEN_BYTES = 32;
const MAX_AGE = 86_400;

/** Somebody asks for a link. */
export interface LinkRequest {
  /** The address, canonical. */
  readonly identifier: string;
  /** The user of the address; a new one when there is none. */
  readonly user: User & { id: string };
  readonly account: Account;
}

/**
 * Reads the address of a sign-in request.
 *
 * @throws {EmailSignInError} when it is not exactly one plain address.
 */
export async function readLinkRequest(context: Context, provider: EmailProvider): Promise<LinkRequest> {
  const identifier = identifierOf(context.body.email, provider);
  const user = await userOf(context, identifier);
  const account: Account = { providerAccountId: identifier, userId: user.id, type: 'email', provider: provider.id };
  return { identifier, user, account };
}

function identifierOf(input: unknown, provider: EmailProvider): string {
  const identifier = provider.normalizeIdentifier
    ? ownIdentifier(typeof input === 'string' ? normalised(provider.normalizeIdentifier, input, provider) : undefined)
    : canonicalAddress(input);
  if (identifier === undefined) throw new EmailSignInError('what was typed is no address', { provider: provider.id });
  return identifier;
}

/** An application's normaliser refuses by throwing. */
function normalised(normalize: (identifier: string) => string, input: string, provider: EmailProvider): string {
  try {
    return normalize(input);
  } catch (error) {
    throw new EmailSignInError('`normalizeIdentifier` refused the address', {
      err: errorOf(error),
      provider: provider.id,
    });
  }
}

/** The stored user of an address, or the one that it would become. */
export async function userOf(context: Context, identifier: string): Promise<AdapterUser> {
  const store = await context.settings.store();
  if (!store) throw new MissingAdapter('sign-in by email keeps its tokens in a store. Add an `adapter`');
  const known = await need(store, 'getUserByEmail')(identifier);
  return known ?? { id: crypto.randomUUID(), email: identifier, emailVerified: null };
}

/**
 * Makes a one-time link and mails it. The token is stored, hashed, before the mail goes out: a link that arrives works.
 *
 * @throws {EmailSignInError} when the token cannot be stored or the mail cannot be sent.
 */
export async function mailLink(context: Context, provider: EmailProvider, { identifier }: LinkRequest): Promise<void> {
  const { settings, now } = context;
  const token = (await provider.generateVerificationToken?.()) ?? randomHex(TOKEN_BYTES);
  const expires = new Date(now.getTime() + (provider.maxAge ?? MAX_AGE) * 1000);
  try {
    const store = await settings.store();
    if (!store) throw new MissingAdapter('sign-in by email keeps its tokens in a store. Add an `adapter`');
    await need(
      store,
      'createVerificationToken',
    )({ identifier, token: await tokenHash(token, provider, settings), expires });
    const url = linkOf(context, provider, identifier, token);
    const { theme } = settings;
    await provider.sendVerificationRequest({
      identifier,
      url,
      expires,
      provider,
      token,
      theme,
      request: requestWithFields(context),
    });
  } catch (error) {
    throw new EmailSignInError('the sign-in mail could not be sent', { err: errorOf(error), provider: provider.id });
  }
}

function linkOf({ callbackUrl }: Context, provider: EmailProvider, identifier: string, token: string): string {
  return `${provider.callbackUrl}?${new URLSearchParams({ callbackUrl, token, email: identifier })}`;
}
