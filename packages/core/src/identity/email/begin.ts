import { defaults } from '../../config/defaults.ts';
import { languageOf } from '../../config/language.ts';
import { nameOfProvider, type ProviderUrls } from '../../config/provider.ts';
import { merge } from '../../config/provider-options.ts';
import type { Context } from '../../context.ts';
import { randomHex } from '../../crypto/bytes.ts';
import { readAgent, writeAsked } from '../../entry/agent.ts';
import { requestWithFields } from '../../entry/request.ts';
import { AuthError, EmailSignInError, errorOf } from '../../errors.ts';
import { redact } from '../../log/redact.ts';
import type { PendingMail } from '../../pending/kinds.ts';
import { mailCookies, requesterMark } from '../../pending/mail.ts';
import type { EmailConfig } from '../../providers/email.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Cookie, Theme } from '../../types/config.ts';
import type { MailRequester, VerifiedProvider } from '../../types/provider.ts';
import type { Account, User } from '../../types/user.ts';
import { canonicalAddress, LONGEST_INPUT, ownIdentifier } from './address.ts';
import { allAttempts, newCode, storeAttempt, takeAttempt } from './code.ts';
import { emailStore, mailerOf, spendToken, storeToken, userOfAddress } from './store.ts';

/** An email provider with the URLs of its actions. */
export type EmailProvider = EmailConfig & ProviderUrls;

const TOKEN_BYTES = 32;

/** Mailers of applications read these members without checking for them. */
const NO_THEME = { colorScheme: 'auto', logo: '', brandColor: '', buttonText: '' };

/**
 * Returns a provider as it mails a link that confirms an address: with a code, and with the cookie of the browser that
 * asked. Tokens of the application may be too short for that.
 */
export function verifyingProvider(provider: EmailProvider): EmailProvider {
  const { confirm, generateVerificationToken: _, ...rest } = provider;
  return { ...rest, confirm: confirm || 'other-browser', code: true, maxAge: defaults.email.codeMaxAge };
}

/** The address of a sign-in request. */
export interface TypedAddress {
  /** The canonical address. */
  readonly identifier: string;
  /** The application has turned the typed text into another address, which the visitor may not know. */
  readonly isMasked: boolean;
}

/**
 * Reads the address of a sign-in request.
 *
 * @throws {EmailSignInError} if it is not exactly one plain address.
 */
export async function readAddress({ body }: Context, provider: EmailProvider): Promise<TypedAddress> {
  const input = body.email;
  const identifier = await acceptedAddress(input, provider);
  if (identifier === undefined)
    throw new EmailSignInError('the visitor has not typed a valid address', {
      provider: provider.id,
      reason: 'address',
    });
  const isTyped = typeof input === 'string' && input.trim().toLowerCase() === identifier.toLowerCase();
  return { identifier, isMasked: provider.normalizeIdentifier !== undefined && !isTyped };
}

/**
 * Checks that an email provider mails to exactly this address. Its normalizer may refuse addresses, or turn them into
 * others, which would prove another address.
 *
 * @throws {EmailSignInError} if it does not.
 */
export async function requireAddress(address: string, provider: EmailProvider): Promise<void> {
  if ((await acceptedAddress(address, provider)) === address) return;
  throw new EmailSignInError('the email provider does not accept the address, so it cannot be confirmed', {
    provider: provider.id,
  });
}

/**
 * Returns the address in the form in which an email provider mails to it, and under which the store has its user.
 *
 * @returns `undefined` if the provider does not accept it.
 * @throws {EmailSignInError} if the application's `normalizeIdentifier` throws.
 */
export async function acceptedAddress(input: unknown, provider: EmailProvider): Promise<string | undefined> {
  const { normalizeIdentifier: normalize } = provider;
  return normalize ? normalized(normalize, input, provider) : canonicalAddress(input);
}

/** The user and the account of an address, for the `signIn` callback. */
export interface AddressOwner {
  /** The user of the address; a new one if the store does not have a user with it. */
  readonly user: User & { id: string };
  readonly account: Account;
}

/** Returns who would sign in with an address. */
export async function ownerOf(context: Context, provider: EmailProvider, identifier: string): Promise<AddressOwner> {
  const user = await userOfAddress(await emailStore(context), identifier);
  return { user, account: { providerAccountId: identifier, userId: user.id, type: 'email', provider: provider.id } };
}

/** An application's normalizer refuses an address by throwing. */
async function normalized(
  normalize: (identifier: string) => unknown,
  input: unknown,
  provider: EmailProvider,
): Promise<string | undefined> {
  // Normalizers may take long for a long text, and anyone can send one.
  if (typeof input !== 'string' || input.length > LONGEST_INPUT) return undefined;
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
      reason: 'address',
    });
  }
}

/** A mail to send. */
export interface MailOrder {
  /** The canonical address. */
  readonly identifier: string;
  /** Pages must not show the whole address. Default: `false`. */
  readonly isMasked?: boolean | undefined;
  /** Where the visitor goes after the sign-in. */
  readonly returnTo: string;
  /** The mail that this browser has requested for the address before. */
  readonly previous?: PendingMail | undefined;
  /** The sign-in that continues after the proof of the address. The provider is then a {@link verifyingProvider}. */
  readonly resume?: PendingMail['resume'];
}

/** A mail that was sent. */
export interface MailedLink {
  readonly hasCode: boolean;
  /** The cookies with which the browser is recognized, and checks the code. */
  readonly cookies: readonly Cookie[];
}

/** The secrets of a mail. */
interface MailSecrets {
  readonly token: string;
  readonly code: string | undefined;
  readonly expires: Date;
}

/**
 * Makes a one-time link, and a code if the provider has the option, and mails them. The token is stored before the mail
 * is sent: a link that arrives works, and if the store fails, no mail is sent. The link and the code of the mail before
 * are sent again while they are unused and valid for half of their time. So both mails work, and a new mail does not
 * give new attempts to guess the code.
 *
 * @throws {EmailSignInError} if the mail cannot be sent; an {@link AuthError} of the provider is passed on.
 * @throws {AdapterError} if the token cannot be stored.
 */
export async function mailLink(context: Context, provider: EmailProvider, order: MailOrder): Promise<MailedLink> {
  const { settings, now } = context;
  const { identifier, isMasked, returnTo, previous, resume } = order;
  const secrets = (await secretsToRepeat(context, provider, previous)) ?? (await newSecrets(context, provider, order));
  const { token, code, expires } = secrets;
  const asked = { at: now, ...readAgent(context.incoming.header('user-agent')) };
  const verifies = resume && verifiedProvider(context, resume.provider);
  // With `confirm`, the cookie of the mail says which browser has requested it.
  const browser = provider.confirm ? undefined : await requesterMark(context, token);
  const url = linkUrl(provider, { identifier, token, returnTo, asked, verifies: resume?.provider, browser });
  const mail: PendingMail = {
    ...{ provider: provider.id, identifier, token, code, returnTo, resume },
    ...{ isMasked: isMasked || undefined, sentAt: now.getTime(), expires: expires.getTime() },
  };
  const ownCookies = context.browser?.cookie ? [context.browser.cookie] : [];
  const cookies = provider.confirm ? await mailCookies(context, mail) : ownCookies;
  const theme: Theme = merge(NO_THEME, settings.theme);
  try {
    const request = requestWithFields(context);
    const language = await languageOf(context);
    const shown = { language, ...(code !== undefined && { code }), asked, ...(verifies && { verifies }) };
    await provider.sendVerificationRequest({ identifier, url, expires, provider, token, theme, request, ...shown });
    settings.logger.debug('email', 'the mail was sent', () => redact({ provider: provider.id }));
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new EmailSignInError('the sign-in mail could not be sent', {
      err: errorOf(error),
      provider: provider.id,
      reason: 'delivery',
    });
  }
  return { hasCode: code !== undefined, cookies };
}

function verifiedProvider({ settings, origin, basePath }: Context, id: string): VerifiedProvider {
  return { provider: id, name: nameOfProvider(settings, id, origin + basePath) ?? id };
}

/** Makes a token, and a code if the provider has the option. Stores the token's hash and the attempts. */
async function newSecrets(
  context: Context,
  provider: EmailProvider,
  { identifier, resume }: MailOrder,
): Promise<MailSecrets> {
  const token = await newToken(provider);
  const expires = new Date(context.now.getTime() + lifetimeOf(provider, token));
  const store = await emailStore(context);
  const link = { token, email: identifier, verifies: resume?.provider };
  const row = await storeToken(store, mailerOf(context, provider), link, expires);
  if (!provider.code) return { token, code: undefined, expires };
  await storeAttempt(store, allAttempts(row));
  return { token, code: newCode(), expires };
}

/** Returns the milliseconds that a link is valid. Links with a token that can be guessed are valid for a short time. */
function lifetimeOf({ maxAge = defaults.email.maxAge }: EmailProvider, token: string): number {
  const isShort = token.length < defaults.email.shortToken;
  return (isShort ? Math.min(maxAge, defaults.email.shortMaxAge) : maxAge) * 1000;
}

/**
 * Returns the secrets of the mail before if they may be sent again. The store tells whether they are unused only by
 * giving them out, so they are taken out and put back unchanged.
 */
async function secretsToRepeat(
  context: Context,
  provider: EmailProvider,
  previous: PendingMail | undefined,
): Promise<MailSecrets | undefined> {
  const { token, code } = previous ?? {};
  if (!previous || token === undefined || (code !== undefined) !== (provider.code === true)) return undefined;
  if (previous.expires - context.now.getTime() < lifetimeOf(provider, token) / 2) return undefined;
  const store = await emailStore(context);
  const mailer = mailerOf(context, provider);
  const link = { token, email: previous.identifier, verifies: previous.resume?.provider };
  const row = await spendToken(store, link, mailer);
  if (!row) return undefined;
  const attempt = code === undefined ? undefined : await takeAttempt(store, link, mailer);
  // Without an attempt, the code is useless. The link is spent with it, and the mail has new ones.
  if (code !== undefined && !attempt) return undefined;
  const { token: hash, expires } = row;
  // First the link: if this process stops in between, it still works. A code is not checked while its link is away.
  await requireMethod(store, 'createVerificationToken')({ identifier: previous.identifier, token: hash, expires });
  if (attempt) await storeAttempt(store, attempt);
  return { token, code, expires: new Date(previous.expires) };
}

async function newToken({ id, code, generateVerificationToken }: EmailProvider): Promise<string> {
  const token: unknown = generateVerificationToken ? await generateVerificationToken() : randomHex(TOKEN_BYTES);
  if (typeof token !== 'string' || token === '')
    throw new AuthError(
      `\`generateVerificationToken\` of the provider "${id}" must return a text. Return a random string`,
    );
  if (code && token.length < defaults.email.codeToken)
    throw new AuthError(
      `provider "${id}": \`generateVerificationToken\` must return at least ${defaults.email.codeToken} characters when \`code\` is true. Return a longer random string, or remove the option: the mail has a code to type`,
    );
  return token;
}

/** The parts of a link. */
interface LinkParts {
  readonly identifier: string;
  readonly token: string;
  readonly returnTo: string;
  readonly asked: MailRequester;
  readonly verifies: string | undefined;
  /** See `requesterMark`. */
  readonly browser: string | undefined;
}

function linkUrl(provider: EmailProvider, parts: LinkParts): string {
  const { identifier, token, returnTo, asked, verifies, browser } = parts;
  const mark = browser === undefined ? {} : { browser };
  const params = new URLSearchParams({ callbackUrl: returnTo, ...mark, token, email: identifier });
  // Only pages read it, and without `confirm` a link usually shows no page.
  if (provider.confirm) params.set('asked', writeAsked(asked));
  if (verifies !== undefined) params.set('verifies', verifies);
  return `${provider.callbackUrl}?${params}`;
}
