import { BoundedMap } from '../bounded-map.ts';
import { createLogger, type Log } from '../log/logger.ts';
import type { Provider } from '../providers/index.ts';
import type { Store } from '../store/store.ts';
import { deployment } from '../symbols.ts';
import type { AccountFeature, AccountOptions } from '../types/account.ts';
import type { AuthConfig, PagesOptions, SessionOptions, Theme } from '../types/config.ts';
import type { LegacyReader } from '../types/legacy.ts';
import type { JWTOptions } from '../types/session.ts';
import type { SessionRecords, SessionRecordsOptions } from '../types/session-records.ts';
import type { PageTheme, ThemeOptions } from '../types/theme.ts';
import type { TokenVault } from '../types/token-vault.ts';
import type { TokenKms } from '../types/tokens.ts';
import type { Awaitable, Optional } from '../types/user.ts';
import { type CookieTable, cookieTable, type MigrationPhase, migrationPhase } from '../wire/cookie-table.ts';
import { defaults } from './defaults.ts';
import { type Callbacks, callbacksOf, type Emit, emitterOf, unknownCallbacks } from './hooks.ts';
import { isPageOf, rootedPages, trimmedPath } from './paths.ts';
import { areProvidersUnchanged, isUnchanged, providersSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts';
import { usableConfig } from './usable-config.ts';

/** A configuration with its defaults filled in. Frozen. */
export interface Settings {
  readonly config: AuthConfig;
  /** '' for the root, otherwise with a leading slash and without a trailing one. */
  readonly basePath: string;
  /** Newest first. They hash CSRF tokens and mailed tokens. */
  readonly secrets: readonly string[];
  /** All texts that a hash may have been made with: each secret, and each comma-joined tail of the list. */
  readonly secretForms: readonly string[];
  /**
   * Newest first. They seal session tokens and cookies. They differ from {@link secrets} only if `jwt.secret` is set.
   */
  readonly sealingSecrets: readonly string[];
  readonly strategy: 'jwt' | 'database';
  readonly session: {
    /** Seconds. */
    readonly maxAge: number;
    /** Seconds. */
    readonly updateAge: number;
    readonly generateSessionToken: NonNullable<NonNullable<AuthConfig['session']>['generateSessionToken']>;
  };
  /** Records of sessions; `undefined` if none are kept. */
  readonly records: RecordSettings | undefined;
  /** Seconds that a session is valid after its sign-in; `undefined` without a limit. */
  readonly maxLifetime: number | undefined;
  /** Readers of the sessions of other libraries; `undefined` without readers. */
  readonly legacy: readonly LegacyReader[] | undefined;
  readonly logout: { readonly provider: boolean; readonly backchannel: boolean };
  /** The accounts that users manage by themselves; `undefined` without the option. */
  readonly account: AccountSettings | undefined;
  /** The tokens of providers; `undefined` if they are not kept. */
  readonly tokens: TokenSettings | undefined;
  /** Some changes need a recent sign-in, so the time of each sign-in has to be known. */
  readonly needsSignInTime: boolean;
  /** Accounts are added to users only on request. */
  readonly isGuided: boolean;
  /** Session tokens have a claim that says how the session began, because an option needs it. */
  readonly hasFacts: boolean;
  /** Seconds that a sealed session token is valid. */
  readonly tokenMaxAge: number;
  /** The application's own token format; `undefined` if it uses the format of Latchkey. */
  readonly encode: JWTOptions['encode'] | undefined;
  readonly decode: JWTOptions['decode'] | undefined;
  readonly pages: Readonly<Optional<PagesOptions>>;
  readonly theme: Readonly<Theme>;
  /** The theme, with the pages that all pages link to. */
  readonly pageTheme: Readonly<PageTheme>;
  readonly callbacks: Callbacks;
  readonly emit: Emit;
  readonly logger: Log;
  /** Returns the names and attributes of the cookies. With `cookies.migrate`, the names depend on the time. */
  cookieTable(secure: boolean, now: Date): CookieTable;
  /** Returns the store; `undefined` if no adapter is configured. The store is made by the first call. */
  store(): Awaitable<Store | undefined>;
  readonly hasAdapter: boolean;
  /** Checks that may find a problem, except those of providers. */
  readonly checksNeeded: readonly ConfigCheck[];
}

/** How the records of sessions are kept. */
export interface RecordSettings extends Pick<SessionRecordsOptions, 'label' | 'maxPerUser'> {
  /** Seconds until no process accepts a session that has ended; 0 for database sessions. */
  readonly revocationLag: number;
  readonly network: boolean;
  /** Returns the record store; `undefined` if a function made the adapter, and it has no record store. */
  store(): Awaitable<SessionRecords | undefined>;
}

/** How the tokens of providers are kept. */
export interface TokenSettings {
  /** The tokens of a session are in a cookie, and there is no vault. */
  readonly isInCookie: boolean;
  /** The token columns of the accounts are set to null. */
  readonly isCleared: boolean;
  /** Seconds. */
  readonly minTtl: number;
  readonly revokeOnSignOut: boolean;
  readonly kms: TokenKms | undefined;
  /** Returns the vault; `undefined` if tokens are in a cookie, or if a function made an adapter without a vault. */
  vault(): Awaitable<TokenVault | undefined>;
}

/** How users manage their account. */
export interface AccountSettings extends Pick<AccountOptions, 'beforeDelete' | 'exportMore'> {
  /** There is a built-in page. */
  readonly page: boolean;
  /** Parts that are left out. */
  readonly without: ReadonlySet<AccountFeature>;
  readonly hasPassword: NonNullable<AccountOptions['hasPassword']>;
}

interface Remembered {
  readonly snapshot: Snapshot;
  readonly ofProviders: Snapshot;
  readonly settings: Settings;
}

/** Settings by the list `providers`, which copies of a configuration share; without a list by the configuration. */
const remembered = new WeakMap<object, Remembered[]>();

/** Configurations with the same list of providers whose settings are remembered, for example one per tenant. */
const CONFIGURATIONS = 64;

/**
 * Returns the settings of a configuration.
 *
 * The settings are cached as long as the configuration has the same values, see {@link snapshotOf}. Deeper objects are
 * read once: replace them instead of editing them. The configuration is never written to. A host may pass a copy of the
 * configuration with each request.
 */
export function settingsFor(config: AuthConfig): Settings {
  for (const one of rememberedOf(config)) if (fits(one, config)) return one.settings;
  return remember(config, build(config));
}

/**
 * Returns the settings with the present members of the providers. Only actions that use providers need them: with a
 * hundred providers, the comparison takes half as long as the read of a session.
 */
export function withCurrentProviders(settings: Settings): Settings {
  const { config } = settings;
  const known = rememberedOf(config).find((one) => one.settings === settings);
  if (!known || areProvidersUnchanged(config.providers, known.ofProviders)) return settings;
  return remember(config, build(config), settings);
}

function rememberedOf(config: AuthConfig): readonly Remembered[] {
  return remembered.get(keyOf(config)) ?? [];
}

/** Returns the entries of `providers`; none if it is not a list, which the check of the configuration reports. */
export function providerEntries({ providers }: Pick<AuthConfig, 'providers'>): readonly Provider[] {
  return Array.isArray(providers) ? providers : [];
}

/** @param outdated Settings to forget. */
function remember(config: AuthConfig, settings: Settings, outdated?: Settings): Settings {
  const others = rememberedOf(config).filter((one) => one.settings !== outdated);
  const made = { snapshot: snapshotOf(config), ofProviders: providersSnapshotOf(config.providers), settings };
  remembered.set(keyOf(config), [made, ...others].slice(0, CONFIGURATIONS));
  return settings;
}

function keyOf(config: AuthConfig): object {
  return Array.isArray(config.providers) ? config.providers : config;
}

/** Settings read the configuration that they were built from later, too: if it has changed, they fit no copy of it. */
function fits({ snapshot, settings }: Remembered, config: AuthConfig): boolean {
  return isUnchanged(config, snapshot) && (settings.config === config || isUnchanged(settings.config, snapshot));
}

function build(given: AuthConfig): Settings {
  const config = usableConfig(given);
  const secrets = listOf(config.secret);
  const sealingSecrets = config.jwt?.secret === undefined ? secrets : listOf(config.jwt.secret);
  const logger = createLogger(config.logger, config.debug === true || (config[deployment]?.debug ?? false));
  const strategy = config.session?.strategy ?? (config.adapter ? 'database' : 'jwt');
  const maxAge = config.session?.maxAge ?? defaults.session.maxAge;
  const store = storeOf(config, strategy, logger);
  const records = recordsOf(config.session?.records, strategy, store);
  const maxLifetime = config.session?.maxLifetime;
  const account = accountOf(config.account);
  const tokens = tokensOf(config.tokens, store);
  const isGuided = config.linking === 'guided';
  const needsSignInTime = account !== undefined || isGuided;
  const pages = Object.freeze(usablePages(config));
  const logout = { provider: config.logout?.provider === true, backchannel: config.logout?.backchannel === true };
  return Object.freeze<Settings>({
    config: given,
    basePath: trimmedPath(config.basePath ?? defaults.basePath),
    secrets,
    secretForms: secretForms(secrets),
    sealingSecrets,
    strategy,
    session: {
      maxAge,
      updateAge: config.session?.updateAge ?? defaults.session.updateAge,
      generateSessionToken: config.session?.generateSessionToken ?? (() => crypto.randomUUID()),
    },
    records,
    maxLifetime,
    legacy: config.legacy?.length ? config.legacy : undefined,
    logout,
    account,
    tokens,
    isGuided,
    needsSignInTime,
    hasFacts:
      records !== undefined || maxLifetime !== undefined || logout.provider || needsSignInTime || needsAccount(config),
    tokenMaxAge: config.jwt?.maxAge ?? maxAge,
    encode: config.jwt?.encode,
    decode: config.jwt?.decode,
    pages,
    theme: Object.freeze(mailTheme(config.theme)),
    pageTheme: Object.freeze({ ...config.theme, links: pages }),
    callbacks: callbacksOf(config),
    emit: emitterOf(config, logger),
    logger,
    cookieTable: cookieTables(config),
    store,
    hasAdapter: Boolean(config.adapter),
    checksNeeded: checksNeeded(given, config, sealingSecrets),
  });
}

/** Pages with addresses that browsers must not be sent to are left out. The check of the configuration reports them. */
function usablePages({ pages }: AuthConfig): Optional<PagesOptions> {
  return Object.fromEntries(Object.entries(rootedPages(pages) ?? {}).filter(([name, page]) => isPageOf(name, page)));
}

/** A check of `check.ts`, by the option that it is about. The checks are loaded only if one of them is needed. */
export type ConfigCheck =
  | 'types'
  | 'pages'
  | 'theme'
  | 'trustHost'
  | 'secret'
  | 'providers'
  | 'session.strategy'
  | 'adapter'
  | 'session.maxAge'
  | 'session.updateAge'
  | 'jwt.maxAge'
  | 'session.maxLifetime'
  | 'session.records'
  | 'legacy'
  | 'logout'
  | 'tokens'
  | 'account'
  | 'linking'
  | 'cookies'
  | 'shortSecret'
  | 'callbacks'
  | 'debug'
  | 'enableWebAuthn';

/** Lists the checks that may find something, usually none. The providers have checks of their own. */
function checksNeeded(
  given: AuthConfig,
  config: AuthConfig,
  sealingSecrets: readonly string[],
): readonly ConfigCheck[] {
  const secrets = [...listOf(config.secret), ...sealingSecrets];
  const { session, jwt } = config;
  const isNeeded: readonly (readonly [ConfigCheck, unknown])[] = [
    ['types', config !== given],
    ['pages', config.pages],
    ['theme', config.theme],
    ['trustHost', config.trustHost !== true && config.trustHost !== 'local'],
    ['secret', listOf(config.secret).length === 0],
    ['providers', !Array.isArray(given.providers)],
    ['session.strategy', ![undefined, 'jwt', 'database'].includes(session?.strategy)],
    ['adapter', session?.strategy === 'database' && !config.adapter],
    ['session.maxAge', !isSeconds(session?.maxAge)],
    ['session.updateAge', !isSeconds(session?.updateAge)],
    ['jwt.maxAge', !isSeconds(jwt?.maxAge)],
    ['session.maxLifetime', session?.maxLifetime !== undefined],
    ['session.records', session?.records],
    ['legacy', config.legacy],
    ['logout', config.logout],
    ['tokens', config.tokens],
    ['account', config.account],
    ['linking', config.linking !== undefined],
    ['cookies', config.cookies],
    ['shortSecret', secrets.some((secret) => secret.length < defaults.secretLength)],
    ['callbacks', unknownCallbacks(config).length > 0],
    ['debug', config.debug === true && !config.logger],
    ['enableWebAuthn', config.experimental?.enableWebAuthn],
  ];
  return isNeeded.filter(([, needed]) => needed).map(([check]) => check);
}

function isSeconds(value: number | undefined): boolean {
  return value === undefined || (Number.isFinite(value) && value >= 0);
}

function listOf(secret: string | readonly string[] | undefined): readonly string[] {
  const list = typeof secret === 'string' ? [secret] : (secret ?? []);
  return Object.freeze(list.filter((entry) => typeof entry === 'string' && entry !== ''));
}

/** Auth.js v5 joins a list of secrets with commas before it hashes. */
function secretForms(secrets: readonly string[]): readonly string[] {
  if (secrets.length < 2) return secrets;
  const tails = secrets.map((_, index) => secrets.slice(index).join(','));
  return Object.freeze([...new Set([...secrets, ...tails])]);
}

function cookieTables({ cookies }: AuthConfig): Settings['cookieTable'] {
  const tables = new Map<MigrationPhase | 'http', CookieTable>();
  return (secure, now) => {
    const phase = migrationPhase(cookies?.migrate, now);
    const key = secure ? phase : 'http';
    const table = tables.get(key) ?? cookieTable(secure, cookies, phase);
    tables.set(key, table);
    return table;
  };
}

function storeOf(config: AuthConfig, strategy: Settings['strategy'], logger: Log): Settings['store'] {
  const { adapter } = config;
  if (!adapter) return () => undefined;
  const make = async (): Promise<Store> => {
    const { storeFor } = await import('../store/store.ts');
    return storeFor(adapter, { strategy }, logger);
  };
  let making: Promise<Store> | undefined;
  return () => {
    making ??= make().catch((error: unknown) => {
      // The next request tries again.
      making = undefined;
      throw error;
    });
    return making;
  };
}

/** Mails, and the functions of the application, have one logo: that of light pages, unless all pages are dark. */
function mailTheme({ logo, ...theme }: ThemeOptions = {}): Theme {
  const { light, dark } = typeof logo === 'object' ? logo : { light: logo, dark: logo };
  return { ...theme, logo: theme.colorScheme === 'dark' ? dark : light };
}

function recordsOf(
  option: SessionOptions['records'],
  strategy: Settings['strategy'],
  store: Settings['store'],
): RecordSettings | undefined {
  if (!option) return undefined;
  const { store: own, revocationLag, maxPerUser, label, network } = option === true ? {} : option;
  return {
    // A database session ends with its row.
    revocationLag: strategy === 'jwt' ? (revocationLag ?? defaults.session.revocationLag) : 0,
    maxPerUser,
    label,
    network: network === true,
    store: async () => own ?? (await store())?.sessionRecords,
  };
}

/** Without an adapter, and with tokens in a cookie, the session says to which account it belongs. */
function needsAccount({ tokens, adapter }: AuthConfig): boolean {
  return Boolean(tokens && (!adapter || tokens.store === 'cookie'));
}

function tokensOf(option: AuthConfig['tokens'], store: Settings['store']): TokenSettings | undefined {
  if (!option) return undefined;
  const { store: own, accountColumns, minTtl = defaults.tokens.minTtl, revokeOnSignOut, kms } = option;
  const adapterVault = async (): Promise<TokenVault | undefined> => (await store())?.tokenVault;
  const noVault = (): undefined => undefined;
  return {
    isInCookie: own === 'cookie',
    isCleared: accountColumns === 'clear',
    minTtl,
    revokeOnSignOut: revokeOnSignOut === true,
    kms,
    vault: typeof own === 'object' ? () => own : own === 'cookie' ? noVault : adapterVault,
  };
}

/** How users manage their account, with all defaults. */
export const DEFAULT_ACCOUNT: AccountSettings = { page: true, without: new Set(), hasPassword: () => false };

function accountOf(option: AuthConfig['account']): AccountSettings | undefined {
  if (!option) return undefined;
  const { without, ...others } = option === true ? {} : option;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_ACCOUNT, ...given, without: new Set(without ?? []) };
}

/**
 * Values that are remembered per settings: an application has few origins and base paths, but a client may send any
 * Host header.
 */
const BASES = 16;

/**
 * Returns a function that remembers what `make` returns. For values that follow from the configuration and from `base`,
 * the origin and base path, alone. If `make` returns a promise that rejects, the next call tries again.
 */
export function perBase<T>(make: (settings: Settings, base: string) => T): (settings: Settings, base: string) => T {
  const made = new WeakMap<Settings, BoundedMap<string, T>>();
  return (settings, base) => {
    const byBase = made.get(settings) ?? new BoundedMap<string, T>(BASES);
    made.set(settings, byBase);
    return byBase.getOrSet(base, () => make(settings, base));
  };
}

/** The members of a request that {@link isOriginFixed} reads. */
interface OriginFacts {
  readonly call: { readonly isOriginFixed?: boolean | undefined };
  readonly origin: string;
  readonly settings: Settings;
}

/** Returns whether no header of the request could name another origin. */
export function isOriginFixed({ call, origin, settings }: OriginFacts): boolean {
  const facts = settings.config[deployment];
  return call.isOriginFixed ?? (facts?.isPlatform === true || facts?.origin === origin);
}
