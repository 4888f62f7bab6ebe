import { BoundedMap } from '../bounded-map.ts';
import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import { fromBase64Url, randomBytes, toBase64Url } from '../crypto/bytes.ts';
import { openIfValid, seal } from '../crypto/seal.ts';
import { isRecord } from '../plain-object.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { TokenKms, TokenOwner } from '../types/tokens.ts';
import type { StoredFacts } from './decide.ts';

/** The tokens of an account, as they are inside the seal. */
export interface Tokens {
  readonly provider: string;
  readonly account: string;
  readonly userId: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
  /** Milliseconds since 1970. `undefined`: the provider has not said it. */
  readonly expiresAt?: number | undefined;
  /** Milliseconds since 1970 at which the access token arrived. */
  readonly issuedAt: number;
  readonly scopes: readonly string[];
  /** The `sub` of the account's ID tokens. */
  readonly subject?: string | undefined;
  /** The provider has refused the refresh token. */
  readonly isRefused?: boolean | undefined;
  /** Tokens in a cookie: the session to which they belong, and the version of the entry. */
  readonly cookie?: { readonly sessionId: string; readonly version: number } | undefined;
}

/** An entry of a vault, or of the cookie of a session. */
export interface StoredEntry extends VaultEntry {
  /** Id of the session to which a cookie belongs. */
  readonly sessionId?: string | undefined;
}

/** An entry that was opened. */
export interface OpenedEntry {
  readonly entry: StoredEntry;
  readonly tokens: Tokens;
}

/** The entry in the cookie of a request. */
export type CookieEntry = StoredEntry & { readonly sessionId: string };

/** The purpose for which the key is derived. No cookie has this name. */
export const TOKENS_SALT = 'latchkey.tokens';

/** Seals of entries do not expire: 100 years, in seconds. */
const SEAL_MAX_AGE = 3_155_760_000;

/** Retention of an entry that cannot be refreshed any more, in milliseconds. Its scopes help the next sign-in. */
const KEPT = 30 * 86_400_000;

/** Begins an entry whose key is encrypted by the KMS. The encrypted key and the JWE follow. */
const KMS_PREFIX = 'kms.';

/**
 * Returns the entry that holds tokens.
 *
 * @param before Version of the entry that it replaces. `null`: it is new.
 * @throws {RangeError} if the tokens are too large.
 * @throws what the KMS throws.
 */
export async function sealEntry(settings: Settings, given: Tokens, before: number | null): Promise<StoredEntry> {
  const { provider, account: providerAccountId, userId } = given;
  const version = before === null ? newVersion() : before + 1;
  const tokens = given.cookie ? { ...given, cookie: { ...given.cookie, version } } : given;
  const sealed = await sealTokens(settings, tokens);
  const limit = tokens.cookie ? limits.tokenCookie : limits.tokenEntry;
  if (sealed.length > limit)
    throw new RangeError(`the sealed tokens have ${sealed.length} characters, and at most ${limit} can be stored`);
  const isLost = tokens.isRefused || (tokens.refreshToken === undefined && tokens.expiresAt !== undefined);
  const end = Math.max(tokens.expiresAt ?? 0, Date.now()) + KEPT;
  return {
    ...{ provider, providerAccountId, userId, sealed, version },
    ...(tokens.cookie && { sessionId: tokens.cookie.sessionId }),
    expires: isLost ? new Date(end) : null,
  };
}

/** 40 random bits, so that a refresh of a deleted entry cannot overwrite its successor. */
function newVersion(): number {
  return randomBytes(5).reduce((number, byte) => number * 256 + byte, 0);
}

/** Seals tokens into a text. */
export async function sealTokens({ sealingSecrets, tokens: options }: Settings, tokens: Tokens): Promise<string> {
  const sealing = { salt: TOKENS_SALT, maxAge: SEAL_MAX_AGE, now: new Date() };
  const { kms } = options ?? {};
  if (!kms) return seal(tokens, { ...sealing, secrets: sealingSecrets });
  const key = randomBytes(32);
  const wrapped = await kms.wrap(key, ownerOf(tokens));
  const text = toBase64Url(new TextEncoder().encode(String(wrapped)));
  unwrapped.get(kms)?.set(wrapped, { key: toBase64Url(key), at: Date.now() });
  const inner = await seal(tokens, { ...sealing, secrets: [toBase64Url(key)] });
  return `${KMS_PREFIX}${text}.${inner}`;
}

/**
 * Opens an entry. `undefined` if no secret opens it, or if it belongs to another account, user or session.
 *
 * @throws what the KMS throws.
 */
export async function openEntry(settings: Settings, entry: StoredEntry): Promise<OpenedEntry | undefined> {
  const { provider, providerAccountId: account, userId, sessionId } = entry;
  const tokens = await openRemembered(settings, entry.sealed, { provider, account, userId });
  const isOwn = tokens && tokens.provider === provider && tokens.account === account && tokens.userId === userId;
  return isOwn && tokens.cookie?.sessionId === sessionId ? { entry, tokens } : undefined;
}

/** Returns the entry in a cookie; `undefined` if no secret opens it, or if it was sealed for a vault. */
export async function entryOfCookie(settings: Settings, sealed: string): Promise<CookieEntry | undefined> {
  // Only a KMS needs the owner, and cookies are sealed without one.
  const tokens = await openRemembered(settings, sealed, { provider: '', account: '', userId: '' });
  if (!tokens?.cookie) return undefined;
  const { provider, account: providerAccountId, userId, cookie } = tokens;
  return { provider, providerAccountId, userId, sealed, ...cookie, expires: null };
}

/** Entries that are remembered opened. */
const OPENED = 1000;

/** By sealed text. Without it, a fresh `get` takes three times as long. */
const lastOpened = new WeakMap<Settings, BoundedMap<string, Tokens>>();

/** The answers of a KMS count for a shorter time, and have a memory of their own. */
async function openRemembered(settings: Settings, sealed: string, owner: TokenOwner): Promise<Tokens | undefined> {
  const opened = lastOpened.get(settings) ?? new BoundedMap<string, Tokens>(OPENED);
  lastOpened.set(settings, opened);
  const known = opened.get(sealed);
  if (known) return known;
  const claims = await openTokens(settings, sealed, owner);
  const tokens = claims && readTokens(claims);
  if (tokens && !sealed.startsWith(KMS_PREFIX)) opened.set(sealed, tokens);
  return tokens;
}

/** Opens a text of {@link sealTokens}. */
export async function openTokens(
  { sealingSecrets, tokens: options }: Settings,
  sealed: string,
  owner: TokenOwner,
): Promise<Record<string, unknown> | undefined> {
  const opening = { salt: TOKENS_SALT, now: new Date() };
  if (!sealed.startsWith(KMS_PREFIX)) return openIfValid(sealed, { ...opening, secrets: sealingSecrets });
  const [, wrapped = '', ...inner] = sealed.split('.');
  const bytes = fromBase64Url(wrapped);
  if (!options?.kms || !bytes) return undefined;
  const key = await unwrappedKey(options.kms, new TextDecoder().decode(bytes), owner);
  return openIfValid(inner.join('.'), { ...opening, secrets: [key] });
}

interface UnwrappedKey {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Keys that the KMS has decrypted, by their encrypted form. */
const unwrapped = new WeakMap<TokenKms, BoundedMap<string, UnwrappedKey>>();

async function unwrappedKey(kms: TokenKms, wrapped: string, owner: TokenOwner): Promise<string> {
  const keys = unwrapped.get(kms) ?? new BoundedMap<string, UnwrappedKey>(limits.kmsKeys);
  unwrapped.set(kms, keys);
  const known = keys.get(wrapped);
  if (known && Date.now() - known.at < limits.kmsKeyAge * 1000) return known.key;
  const key = toBase64Url(await kms.unwrap(wrapped, owner));
  keys.set(wrapped, { key, at: Date.now() });
  return key;
}

function ownerOf({ provider, account, userId }: Tokens): TokenOwner {
  return { provider, account, userId };
}

/** Reads the claims of a seal. Another release may have written them. */
export function readTokens(claims: Record<string, unknown>): Tokens | undefined {
  const { provider, account, userId, clientId, accessToken, issuedAt, scopes, expiresAt } = claims;
  if (typeof provider !== 'string' || typeof account !== 'string' || typeof userId !== 'string') return undefined;
  if (typeof clientId !== 'string' || typeof accessToken !== 'string' || typeof issuedAt !== 'number') return undefined;
  const text = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined);
  return {
    ...{ provider, account, userId, clientId, accessToken, issuedAt },
    refreshToken: text('refreshToken'),
    idToken: text('idToken'),
    subject: text('subject'),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
    isRefused: claims['isRefused'] === true,
    cookie: readCookieFacts(claims['cookie']),
  };
}

function readCookieFacts(claim: unknown): Tokens['cookie'] {
  if (!isRecord(claim)) return undefined;
  const { sessionId, version } = claim;
  return typeof sessionId === 'string' && typeof version === 'number' ? { sessionId, version } : undefined;
}

/** Returns the facts from which `decideRefresh` decides. */
export function factsOf({ expiresAt, issuedAt, accessToken, scopes, refreshToken, isRefused }: Tokens): StoredFacts {
  const hasRefreshToken = refreshToken !== undefined;
  return { expiresAt, issuedAt, accessToken, scopes, hasRefreshToken, isRefused: isRefused === true };
}

/** Returns the key of an entry as one text, for maps. */
export function keyText({ provider, providerAccountId, sessionId }: VaultKey & Pick<StoredEntry, 'sessionId'>): string {
  return JSON.stringify([provider, providerAccountId, sessionId]);
}
