import { providersOf } from '../../config/provider.ts';
import type { Settings } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { purposeHash, sha256Hex } from '../../crypto/hash.ts';
import { errorOf, MissingAdapter, Verification } from '../../errors.ts';
import type { EmailConfig } from '../../providers/email.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Store } from '../../store/store.ts';
import { userByAddress } from '../../store/users.ts';
import type { AdapterUser, VerificationToken } from '../../types/adapter.ts';
import { ownIdentifier } from './address.ts';

/** The parameters of a mailed link. */
export interface Link {
  readonly token: string;
  /** `undefined` if the application's mail omits it: some stores find a token without the address. */
  readonly email: string | undefined;
  /** Id of the OAuth or passkey provider for which the link confirms the address. Default: the link signs in. */
  readonly verifies?: string | undefined;
}

/**
 * Returns the store, which sign-in by email needs.
 *
 * @throws {MissingAdapter} if the configuration has no adapter.
 */
export async function emailStore({ settings }: Context): Promise<Store> {
  const store = await settings.store();
  if (!store) throw new MissingAdapter('sign-in by email keeps its tokens in a store. Add an `adapter`');
  return store;
}

/** The stored user of an address, or a new one with a random id. */
export async function userOfAddress(store: Store, identifier: string): Promise<AdapterUser> {
  const known = await userByAddress(store, identifier);
  return known ?? { id: crypto.randomUUID(), email: identifier, emailVerified: null };
}

/** The provider of a link, and the rest of what the hash of its token depends on. */
export interface Mailer {
  readonly provider: EmailConfig;
  readonly settings: Settings;
  /** The configuration has other providers that mail links. */
  readonly isOneOfSeveral: boolean;
}

/** Returns the facts about a provider that hash its tokens. */
export function mailerOf({ settings, origin, basePath }: Context, provider: EmailConfig): Mailer {
  const others = providersOf(settings, origin + basePath).filter(
    ({ id, type }) => type === 'email' && id !== provider.id,
  );
  return { provider, settings, isOneOfSeveral: others.length > 0 };
}

/** Stores the token of a link, hashed with the newest secret. Returns the row. */
export async function storeToken(
  store: Store,
  { provider, settings, isOneOfSeveral }: Mailer,
  { token, email, verifies }: Link & { readonly email: string },
  expires: Date,
): Promise<VerificationToken> {
  const secret = provider.secret ?? settings.secrets[0] ?? '';
  const isBound = isOneOfSeveral || verifies !== undefined;
  const hash = await (isBound ? hashOfProvider({ token, verifies }, secret, provider) : plainHash(token, secret));
  const row = { identifier: email, token: hash, expires };
  await requireMethod(store, 'createVerificationToken')(row);
  return row;
}

/**
 * Takes the token of a link from the store, which returns it only once. Hashes with older secrets, and with a
 * comma-joined list of secrets, are tried, too. So links that were mailed before a change of the secret stay valid.
 *
 * Of several providers, none accepts a token that another one has mailed. A hash without a provider is that of Auth.js
 * v5, or of a configuration with one provider. A link that confirms an address is valid only with the provider for
 * which it does.
 *
 * @returns `null` if the store has no such token, or mailed it to another address.
 */
export async function spendToken(store: Store, link: Link, mailer: Mailer): Promise<VerificationToken | null> {
  for await (const hash of hashesOf(link, mailer)) {
    const found = await takeRow(store, link.email, hash);
    if (found !== null) return found ?? null;
  }
  return null;
}

/**
 * Takes a row of the verification tokens out of the store. The result always has the hash: some stores omit it.
 *
 * @returns `null` if the store has no such row, `undefined` if it returned another row.
 */
export async function takeRow(
  store: Store,
  identifier: string | undefined,
  hash: string,
): Promise<VerificationToken | null | undefined> {
  const found = await useToken(store, identifier, hash);
  if (!found) return null;
  return isRequested(found, identifier, hash) ? { ...found, token: hash } : undefined;
}

/** The hashes under which the token of a link may be stored. */
export async function* hashesOf(
  { token, verifies }: Link,
  { provider, settings, isOneOfSeveral }: Mailer,
): AsyncGenerator<string> {
  const ownSecrets = provider.secret === undefined ? undefined : [provider.secret];
  if (isOneOfSeveral || verifies !== undefined) {
    for (const secret of ownSecrets ?? settings.secrets) yield hashOfProvider({ token, verifies }, secret, provider);
  }
  if (verifies !== undefined) return;
  for (const secret of ownSecrets ?? settings.secretForms) yield plainHash(token, secret);
}

/** As Auth.js v5 makes it, so that either library opens the links of the other. */
function plainHash(token: string, secret: string): Promise<string> {
  return sha256Hex(token + secret);
}

function hashOfProvider(
  { token, verifies }: Pick<Link, 'token' | 'verifies'>,
  secret: string,
  { id }: EmailConfig,
): Promise<string> {
  const parts = verifies === undefined ? [id, token] : [id, token, verifies];
  return purposeHash(secret, 'mailed link', JSON.stringify(parts));
}

/** Most stores look up by address and token. Some of them throw without the address. */
async function useToken(
  store: Store,
  identifier: string | undefined,
  token: string,
): Promise<VerificationToken | null> {
  const use = requireMethod(store, 'useVerificationToken');
  if (identifier !== undefined) return use({ identifier, token });
  try {
    // `as`: as in Auth.js v5, the address is absent for stores that find a token without it.
    return await use({ identifier: undefined, token } as unknown as Parameters<typeof use>[0]);
  } catch (error) {
    throw new Verification('the store finds no token without the address', { err: errorOf(error) });
  }
}

/**
 * Tests whether the store has returned the requested token. Some stores compare only the token, and would accept the
 * link of another address. Others compare only the address, and would accept any token.
 */
function isRequested(found: VerificationToken, identifier: string | undefined, hash: string): boolean {
  // Without an address in the link, only the row says who the user is.
  if (identifier === undefined) return found.token === hash && ownIdentifier(found.identifier) !== undefined;
  return found.identifier === identifier && (found.token === undefined || found.token === hash);
}
