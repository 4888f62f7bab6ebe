import { BoundedMap } from '../bounded-map.ts';
import { limits } from '../config/defaults.ts';
import type { Settings, TokenSettings } from '../config/settings.ts';
import { AuthError, errorOf, type TokensCode, TokensUnavailable } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import type { TokenVault, VaultEntry, VaultKey } from '../types/token-vault.ts';
import { withinTime } from '../wire/deadline.ts';
import type { OpenedEntry, Tokens } from './entry.ts';

/** A vault as this room uses it: each failure is a {@link TokensUnavailable}, and each step has a deadline. */
export interface Vault {
  read(key: VaultKey): Promise<VaultEntry | null>;
  find(userId: string, provider?: string): Promise<readonly VaultEntry[]>;
  lease(key: VaultKey, version: number, holder: string, seconds: number): Promise<boolean>;
  write(entry: VaultEntry, expected: number | null): Promise<boolean>;
  remove(key: VaultKey): Promise<void>;
  readonly scan: ((after: VaultKey | null, limit: number) => Promise<readonly VaultEntry[]>) | undefined;
  readonly state: VaultState;
  /** Nothing can be written now: the tokens are in a cookie, and cookies cannot be set here. Default: `false`. */
  readonly isReadOnly?: boolean | undefined;
}

/** The memory of this process about a vault, by the text of the key. */
export interface VaultState {
  /** The refreshes that are running, by the id of the provider. */
  readonly flights: Map<string, Map<string, RunningRefresh>>;
  /** The last failures of providers. */
  readonly failures: BoundedMap<string, Failure>;
  /** New tokens that the vault did not accept. */
  readonly unwritten: BoundedMap<string, Unwritten>;
}

/** A refresh that is running. */
export interface RunningRefresh {
  readonly result: Promise<Flight>;
  /** The number of calls that wait for it. All of them get its result at the same time. */
  waiting: number;
}

/** The result of a refresh, for all calls of this process that wait for it. */
export type Flight =
  | { readonly do: 'use'; readonly opened: OpenedEntry }
  /** The entry has changed, or this process waits after a failure: read it, and decide again. */
  | { readonly do: 'again' }
  | { readonly do: 'fail'; readonly code: TokensCode };

/** A failure of a provider, after which this process waits. */
export interface Failure {
  readonly code: TokensCode;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Failures so far, without a success between them. */
  readonly count: number;
}

/** New tokens that the vault did not accept. */
export interface Unwritten {
  readonly tokens: Tokens;
  /** The version of the entry that they replace. */
  readonly expected: number;
  /** Milliseconds since 1970 until which they are kept. */
  readonly until: number;
}

const known = new WeakMap<TokenVault, Vault>();

/**
 * Returns the vault of a configuration.
 *
 * @throws {AuthError} if the adapter has no vault, or if the tokens are in cookies.
 */
export async function vaultOf({ tokens }: Settings): Promise<Vault> {
  const { isInCookie, vault: configured } = requireTokens(tokens);
  if (isInCookie) {
    throw new AuthError(
      "with `tokens.store: 'cookie'`, only requests of the visitor have tokens. Use a token vault for jobs",
    );
  }
  const vault = await configured();
  if (!vault) {
    throw new AuthError(
      '`tokens.store: true` needs an adapter with a token vault. Use `SqlTokenVault(db)` or `RedisTokenVault(client)`',
    );
  }
  const made = known.get(vault) ?? wrapVault(vault, newState());
  known.set(vault, made);
  return made;
}

/** @throws {AuthError} if the configuration lacks the option. */
export function requireTokens(tokens: TokenSettings | undefined): TokenSettings {
  if (tokens) return tokens;
  throw new AuthError('provider tokens need the option `tokens`. Set it in the configuration');
}

/** Returns an empty memory. */
export function newState(): VaultState {
  return { flights: new Map(), failures: new BoundedMap(1000), unwritten: new BoundedMap(1000) };
}

/** Wraps a vault of the application. */
export function wrapVault(vault: TokenVault, state: VaultState): Vault {
  const { scan } = vault;
  return {
    read: (key) => step('read', key.provider, () => vault.read(key), isEntryOrNull),
    find: (userId, provider) => step('find', provider ?? '', () => vault.find(userId, provider), Array.isArray),
    lease: (key, ...args) => step('lease', key.provider, () => vault.lease(key, ...args), isBoolean),
    write: (entry, expected) => step('write', entry.provider, () => vault.write(entry, expected), isBoolean),
    remove: (key) => step('remove', key.provider, () => vault.remove(key)),
    scan: scan && ((after, limit) => step('scan', '', () => scan.call(vault, after, limit), Array.isArray)),
    state,
  };
}

function isBoolean(answer: unknown): boolean {
  return typeof answer === 'boolean';
}

function isEntryOrNull(answer: unknown): boolean {
  return answer === null || isRecord(answer);
}

/** The step may still be carried out after the deadline; each step may be repeated. */
async function step<T>(
  name: string,
  provider: string,
  call: () => T | PromiseLike<T>,
  isValid: (answer: unknown) => boolean = () => true,
): Promise<Awaited<T>> {
  try {
    const answer = await withinTime((async () => call())(), limits.vaultTime);
    if (!isValid(answer)) throw new TypeError('the result is not that of a token vault');
    return answer as Awaited<T>;
  } catch (error) {
    throw storeUnavailable(provider, `the token vault's \`${name}\` failed`, error);
  }
}

/** Returns the error for a vault or a KMS that fails. */
export function storeUnavailable(provider: string, words: string, error: unknown): TokensUnavailable {
  const facts = { code: 'store-unavailable', provider, retryAfter: limits.tokenBackOff } as const;
  return new TokensUnavailable(words, { ...facts, err: errorOf(error) });
}
