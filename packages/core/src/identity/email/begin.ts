import { isPromise } from '../../chain.ts';
import { errorOf } from '../../config/hooks.ts';
import { merge } from '../../config/merge.ts';
import { need } from '../../config/need.ts';
import type { ProviderUrls } from '../../config/provider.ts';
import { signInDefaults } from '../../config/sign-in-defaults.ts';
import type { Context } from '../../context.ts';
import { randomHex } from '../../crypto/random.ts';
import { AuthError, EmailSignInError } from '../../errors.ts';
import type { EmailConfig } from '../../providers/email.ts';
import type { Account, Theme, User } from '../../types.ts';
import { requestWithFields } from '../request.ts';
import { canonicalAddress, ownIdentifier } from './address.ts';
import { emailStore } from './store.ts';
import { tokenHash } from './token.ts';
import { userOf } from './user.ts';

/** A provider that mails links, and where they lead. */
export type EmailProvider = EmailConfig & ProviderUrls;

const TOKEN_BYTES = 32;

/** Mailers of applications read members of it without asking. */
const NO_THEME = { colorScheme: 'auto', logo: '', brandColor: '', buttonText: '' };

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
  const identifier = await identifierOf(context.body.email, provider);
  const user = await userOf(context, identifier);
  const account: Account = { providerAccountId: identifier, userId: user.id, type: 'email', provider: provider.id };
  return { identifier, user, account };
}

async function identifierOf(input: unknown, provider: EmailProvider): Promise<string> {
  const { normalizeIdentifier: normalize } = provider;
  const identifier = normalize
    ? ownIdentifier(typeof input === 'string' ? (await normalised(normalize, input, provider)).result : undefined)
    : canonicalAddress(input);
  if (identifier === undefined) throw new EmailSignInError('what was typed is no address', { provider: provider.id });
  return identifier;
}

/** An application's normaliser refuses by throwing. An async one is none: it is waited for, so that its failures have a place to go. */
async function normalised(
  normalize: (identifier: string) => unknown,
  input: string,
  provider: EmailProvider,
): Promise<{ readonly result: unknown }> {
  try {
    const result = normalize(input);
    if (isPromise(result)) await result;
    return { result };
  } catch (error) {
    throw new EmailSignInError('`normalizeIdentifier` refused the address', {
      err: errorOf(error),
      provider: provider.id,
    });
  }
}

/**
 * Makes a one-time link and mails it. The token is stored, hashed, before the mail goes out: a link that arrives works, and a
 * store that fails mails no dead one.
 *
 * @throws {EmailSignInError} when the mail cannot be sent; an {@link AuthError} of the provider passes unchanged.
 * @throws {AdapterError} when the token cannot be stored.
 */
export async function mailLink(context: Context, provider: EmailProvider, { identifier }: LinkRequest): Promise<void> {
  const { settings, now } = context;
  const token = await newToken(provider);
  const expires = new Date(now.getTime() + (provider.maxAge ?? signInDefaults.email.maxAge) * 1000);
  const hash = await tokenHash(token, provider, settings);
  await need(await emailStore(context), 'createVerificationToken')({ identifier, token: hash, expires });
  const url = linkOf(context, provider, identifier, token);
  const theme: Theme = merge(NO_THEME, settings.theme);
  try {
    const request = requestWithFields(context);
    await provider.sendVerificationRequest({ identifier, url, expires, provider, token, theme, request });
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new EmailSignInError('the sign-in mail could not be sent', { err: errorOf(error), provider: provider.id });
  }
}

async function newToken({ id, generateVerificationToken }: EmailProvider): Promise<string> {
  const token: unknown = generateVerificationToken ? await generateVerificationToken() : randomHex(TOKEN_BYTES);
  if (typeof token === 'string' && token !== '') return token;
  throw new AuthError(`\`generateVerificationToken\` of the provider "${id}" returned no text. Return a random string`);
}

function linkOf({ callbackUrl }: Context, provider: EmailProvider, identifier: string, token: string): string {
  return `${provider.callbackUrl}?${new URLSearchParams({ callbackUrl, token, email: identifier })}`;
}
