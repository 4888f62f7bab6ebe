import type { JWTOptions } from '../jwt.ts';
import type { AuthConfig, Awaitable, Optional, PagesOptions, Theme } from '../types.ts';
import { type CookieTable, cookieTable } from '../wire/cookie-table.ts';
import { trimmedPath } from './base-path.ts';
import { defaults } from './defaults.ts';
import { type Doubt, doubtsAbout } from './doubts.ts';
import { type Callbacks, callbacksOf, type Emit, emitterOf } from './hooks.ts';
import { createLogger, type Log } from './logger.ts';
import { rootedPages } from './pages.ts';
import { isUnchanged, type Snapshot, snapshotOf } from './snapshot.ts';
import type { Store } from './store.ts';

/** A configuration, settled: defaults filled in, frozen, and whatever can be computed once computed at most once. */
export interface Settings {
  readonly config: AuthConfig;
  readonly basePath: string;
  /** Newest first. They make CSRF and mail hashes. */
  readonly secrets: readonly string[];
  /** Whatever a hash may have been made with: each secret, and each comma-joined tail of the list. */
  readonly secretForms: readonly string[];
  /** Newest first. They seal tokens and cookies; other than {@link secrets} only where `jwt.secret` is set. */
  readonly sealingSecrets: readonly string[];
  readonly strategy: 'jwt' | 'database';
  readonly session: {
    /** Seconds. */
    readonly maxAge: number;
    /** Seconds. */
    readonly updateAge: number;
    readonly generateSessionToken: NonNullable<NonNullable<AuthConfig['session']>['generateSessionToken']>;
  };
  /** Seconds a sealed session token is valid. */
  readonly tokenMaxAge: number;
  /** The application's own token format, where it has one. */
  readonly encode: JWTOptions['encode'] | undefined;
  readonly decode: JWTOptions['decode'] | undefined;
  readonly pages: Readonly<Optional<PagesOptions>>;
  readonly theme: Readonly<Theme>;
  readonly callbacks: Callbacks;
  readonly emit: Emit;
  readonly logger: Log;
  /** Names and attributes of the cookies. */
  cookieTable(secure: boolean): CookieTable;
  /** The data layer, made at the first call; `undefined` without an adapter. */
  store(): Awaitable<Store | undefined>;
  readonly hasAdapter: boolean;
  /** What may be wrong, providers left aside. */
  readonly doubts: readonly Doubt[];
}

interface Remembered {
  readonly snapshot: Snapshot;
  readonly settings: Settings;
}

const remembered = new WeakMap<AuthConfig, Remembered>();

/**
 * The settings of a configuration: remembered for as long as the configuration's own members, one level below some of
 * them, and the elements of `providers` and `secret` are the same values. What lies deeper is read once, so replace
 * nested objects instead of editing them. The configuration is never written to.
 */
export function settingsFor(config: AuthConfig): Settings {
  const known = remembered.get(config);
  if (known && fits(known, config)) return known.settings;
  const made = alike(config) ?? { snapshot: snapshotOf(config), settings: build(config) };
  remembered.set(config, made);
  if (Array.isArray(config.providers)) lastWith.set(config.providers, made);
  return made.settings;
}

const lastWith = new WeakMap<object, Remembered>();

/** Hosts that hand in a copy with each request: its members are those of the copy before. */
function alike(config: AuthConfig): Remembered | undefined {
  const last = Array.isArray(config.providers) ? lastWith.get(config.providers) : undefined;
  return last && fits(last, config) ? last : undefined;
}

/** Settings read the configuration that they were made of: where somebody has written to that one, they are for no other. */
function fits({ snapshot, settings }: Remembered, config: AuthConfig): boolean {
  const { config: own } = settings;
  return isUnchanged(config, snapshot) && (own === config || isUnchanged(own, snapshot));
}

function build(config: AuthConfig): Settings {
  const secrets = listOf(config.secret);
  const logger = createLogger(config.logger, config.debug === true);
  const maxAge = config.session?.maxAge ?? defaults.session.maxAge;
  return Object.freeze<Settings>({
    config,
    basePath: trimmedPath(config.basePath ?? defaults.basePath),
    secrets,
    secretForms: secretForms(secrets),
    sealingSecrets: config.jwt?.secret === undefined ? secrets : listOf(config.jwt.secret),
    strategy: config.session?.strategy ?? (config.adapter ? 'database' : 'jwt'),
    session: {
      maxAge,
      updateAge: config.session?.updateAge ?? defaults.session.updateAge,
      generateSessionToken: config.session?.generateSessionToken ?? (() => crypto.randomUUID()),
    },
    tokenMaxAge: config.jwt?.maxAge ?? maxAge,
    encode: config.jwt?.encode,
    decode: config.jwt?.decode,
    pages: Object.freeze({ ...rootedPages(config.pages) }),
    theme: Object.freeze({ ...config.theme }),
    callbacks: callbacksOf(config),
    emit: emitterOf(config, logger),
    logger,
    hasAdapter: Boolean(config.adapter),
    doubts: doubtsAbout(config, secrets),
    ...lazyParts(config, logger),
  });
}

type LazyParts = Pick<Settings, 'cookieTable' | 'store'>;

function lazyParts(config: AuthConfig, logger: Log): LazyParts {
  const tables = new Map<boolean, CookieTable>();
  return {
    cookieTable(secure) {
      const known = tables.get(secure);
      if (known) return known;
      const table = cookieTable(secure, config.cookies);
      tables.set(secure, table);
      return table;
    },
    store: config.adapter
      ? onceAsync(async () => (await import('./store.ts')).storeFor(config, logger))
      : () => undefined,
  };
}

/** The value, made at most once, and from then on at hand; a failure is not remembered. */
function onceAsync<T>(make: () => Promise<T>): () => Awaitable<T> {
  const at: { value?: Awaitable<T> | undefined } = {};
  return () => {
    at.value ??= make().then(
      (made) => (at.value = made),
      (error: unknown) => {
        at.value = undefined;
        throw error;
      },
    );
    return at.value;
  };
}

function listOf(secret: string | readonly string[] | undefined): readonly string[] {
  const list = typeof secret === 'string' ? [secret] : (secret ?? []);
  return Object.freeze(list.filter((entry) => typeof entry === 'string' && entry !== ''));
}

/** Other members of the family join a list with commas before they hash. */
function secretForms(secrets: readonly string[]): readonly string[] {
  if (secrets.length < 2) return secrets;
  const tails = secrets.map((_, index) => secrets.slice(index).join(','));
  return Object.freeze([...new Set([...secrets, ...tails])]);
}
