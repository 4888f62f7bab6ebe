import { defaults } from '../../config/defaults.ts';
import type { ProviderUrls } from '../../config/provider.ts';
import { merge } from '../../config/provider-options.ts';
import type { Context } from '../../context.ts';
import { randomHex } from '../../crypto/bytes.ts';
import { requestWithFields } from '../../entry/request.ts';
import { AuthError, EmailSignInError, errorOf } from '../../errors.ts';
import type { EmailConfig } from '../../providers/email.ts';
import type { Theme } from '../../types/config.ts';
import type { Account, User } from '../../types/user.ts';
import { canonicalAddress, ownIdentifier } from './address.ts';
import { emailStore, mailerOf, storeToken, userOfAddress } from './store.ts';

/** An email provider with the URLs of its actions. */
export type EmailProvider = EmailConfig & ProviderUrls;

const TOKEN_BYTES = 32;

/** Mailers of applications read these members without checking for them. */
const NO_THEME = { colorScheme: 'auto', logo: '', brandColor: '', buttonText: '' };

/** A visitor's request for a link. */
export interface LinkRequest {
  /** The canonical address. */
  readonly identifier: string;
  /** The user of the address; a new one if the store does not have a user with it. */
  readonly user: User & { id: string };
  readonly account: Account;
}

/**
 * Reads the address of a sign-in request.
 *
 * @throws {EmailSignInError} if it is not exactly one plain address.
 */
export async function readLinkRequest(context: Context, provider: EmailProvider): Promise<LinkRequest> {
  const identifier = await identifierOf(context.body.email, provider);
  const user = await userOfAddress(await emailStore(context), identifier);
  const account: Account = { providerAccountId: identifier, userId: user.id, type: 'email', provider: provider.id };
  return { identifier, user, account };
}

async function identifierOf(input: unknown, provider: EmailProvider): Promise<string> {
  const { normalizeIdentifier: normalize } = provider;
  const identifier = normalize ? await normalized(normalize, input, provider) : canonicalAddress(input);
  if (identifier === undefined)
    throw new EmailSignInError('the visitor has not typed a valid address', { provider: provider.id });
  return identifier;
}

/** An application's normalizer refuses an address by throwing. */
async function normalized(
  normalize: (identifier: string) => unknown,
  input: unknown,
  provider: EmailProvider,
): Promise<string | undefined> {
  if (typeof input !== 'string') return undefined;
  try {
    const result = normalize(input);
    if (typeof result === 'string') return ownIdentifier(result);
    // An async normalizer is not supported. It is awaited only so that its rejection is handled.
    await result;
    return undefined;
  } catch (error) {
    throw new EmailSignInError('`normalizeIdentifier` refused the address', {
      err: errorOf(error),
      provider: provider.id,
    });
  }
}

/**
 * Makes a one-time link and mails it. The token is stored before the mail is sent: a link that arrives works, and if
 * the store fails, no mail is sent.
 *
 * @throws {EmailSignInError} if the mail cannot be sent; an {@link AuthError} of the provider is passed on.
 * @throws {AdapterError} if the token cannot be stored.
 */
export async function mailLink(context: Context, provider: EmailProvider, { identifier }: LinkRequest): Promise<void> {
  const { settings, now } = context;
  const token = await newToken(provider);
  const expires = new Date(now.getTime() + (provider.maxAge ?? defaults.email.maxAge) * 1000);
  await storeToken(await emailStore(context), mailerOf(context, provider), { identifier, token, expires });
  const url = linkUrl(context, provider, identifier, token);
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
  throw new AuthError(
    `\`generateVerificationToken\` of the provider "${id}" must return a text. Return a random string`,
  );
}

function linkUrl({ callbackUrl }: Context, provider: EmailProvider, identifier: string, token: string): string {
  return `${provider.callbackUrl}?${new URLSearchParams({ callbackUrl, token, email: identifier })}`;
}
