import { readableProviders } from '../config/provider-options.ts';
import type { Settings } from '../config/settings.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { requireMethod } from '../store/methods.ts';
import type { AccountWay } from '../types/account.ts';
import type { AdapterAccount, AdapterAuthenticator, StoredAccount } from '../types/adapter.ts';
import type { ProviderType } from '../types/user.ts';
import type { AccountOwner } from './actor.ts';

/** An account in the store, as its owner sees it. */
export interface StoredWay {
  readonly id: string;
  readonly account: StoredAccount;
  /** The passkey of an account of the type `webauthn`. */
  readonly authenticator?: AdapterAuthenticator | undefined;
  /** Its provider is configured, so the user can sign in with it. */
  readonly isUsable: boolean;
}

/** Ways to sign in that are not accounts in the store. */
export interface OtherWay {
  readonly id: 'email' | 'password';
  readonly kind: ProviderType;
  readonly provider: string;
  readonly label?: string | undefined;
}

/** Returns the ids of the configured providers at which users have accounts or passkeys. */
export function accountProviders(settings: Settings): readonly string[] {
  return readableProviders(settings.config)
    .filter(({ type }) => type !== 'email' && type !== 'credentials')
    .map(({ id }) => id);
}

/**
 * Returns the accounts and passkeys of a user.
 *
 * @throws {MissingAdapterMethods} if the adapter cannot list accounts.
 */
export async function storedWays({ settings, store, user }: AccountOwner): Promise<StoredWay[]> {
  const accounts = await requireMethod(store, 'listAccountsByUserId')(user.id);
  const hasPasskeys = accounts.some(({ type }) => type === 'webauthn');
  const authenticators = hasPasskeys ? ((await store.listAuthenticatorsByUserId?.(user.id)) ?? []) : [];
  const configured = accountProviders(settings);
  return Promise.all(
    accounts.map(async (account) => ({
      id: await wayId(account),
      account,
      authenticator: authenticatorOf(account, authenticators),
      isUsable: configured.includes(account.provider),
    })),
  );
}

function authenticatorOf(
  { type, providerAccountId }: AdapterAccount,
  authenticators: readonly AdapterAuthenticator[],
): AdapterAuthenticator | undefined {
  if (type !== 'webauthn') return undefined;
  return authenticators.find((authenticator) => authenticator.providerAccountId === providerAccountId);
}

/** Characters of the id of a way: 128 bits in base64url. */
const ID_LENGTH = 22;

/** Does not contain the user's id at the provider, which some providers treat as private. */
export async function wayId({
  provider,
  providerAccountId,
}: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Promise<string> {
  return (await sha256Base64Url(JSON.stringify([provider, providerAccountId]))).slice(0, ID_LENGTH);
}

/**
 * Returns the ids of the providers with which a user can sign in; all configured ones if the adapter cannot list
 * accounts.
 */
export async function usableProviders(owner: AccountOwner): Promise<ReadonlySet<string>> {
  const { settings, store } = owner;
  if (!store.listAccountsByUserId) return new Set(readableProviders(settings.config).map(({ id }) => id));
  const usable = (await storedWays(owner)).filter(({ isUsable }) => isUsable);
  const others = await otherWays(owner);
  return new Set([...usable.map(({ account }) => account.provider), ...others.map(({ provider }) => provider)]);
}

/** Returns the other ways to sign in: mailed links if the user has an address, and a password. */
export async function otherWays({ settings, account, user }: AccountOwner): Promise<OtherWay[]> {
  const providers = readableProviders(settings.config);
  const mail = providers.find(({ type }) => type === 'email');
  const login = providers.find(({ type }) => type === 'credentials');
  const ways: OtherWay[] = [];
  if (mail && user.email) ways.push({ id: 'email', kind: 'email', provider: mail.id, label: user.email });
  if (login && (await account.hasPassword(user))) {
    ways.push({ id: 'password', kind: 'credentials', provider: login.id });
  }
  return ways;
}

/**
 * Returns all ways in which a user can sign in, as the user sees them. Accounts of providers that are no longer
 * configured come last.
 */
export async function listWays(owner: AccountOwner): Promise<AccountWay[]> {
  const [stored, others] = [await storedWays(owner), await otherWays(owner)];
  const usable = stored.filter(({ isUsable }) => isUsable);
  const unusable = stored.filter(({ isUsable }) => !isUsable);
  const isOnlyWay = usable.length + others.length === 1;
  return [
    ...usable.map((way) => ({ ...describe(way), isOnlyWay })),
    ...others.map((way) => ({ ...way, isOnlyWay })),
    ...unusable.map((way) => ({ ...describe(way), isOnlyWay: false })),
  ];
}

function describe({ id, account, authenticator, isUsable }: StoredWay): Omit<AccountWay, 'isOnlyWay'> {
  const label = authenticator ? authenticator.name : account.label;
  return {
    id,
    kind: account.type,
    provider: isUsable ? account.provider : undefined,
    label: label ?? undefined,
    createdAt: (authenticator ? authenticator.createdAt : account.createdAt) ?? undefined,
    usedAt: authenticator?.usedAt ?? undefined,
  };
}
