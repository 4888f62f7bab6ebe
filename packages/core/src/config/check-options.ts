import type { Warning } from '../log/logger.ts';
import { isRecord } from '../plain-object.ts';
import type { AccountOptions } from '../types/account.ts';
import type {
  AuthConfig,
  CookiePrefixOptions,
  CookiesOptions,
  EventCallbacks,
  LogoutOptions,
  PagesOptions,
  RateLimitOptions,
  SessionOptions,
} from '../types/config.ts';
import type { LocaleOptions } from '../types/locale.ts';
import type { MailOptions } from '../types/mail.ts';
import type { JWTOptions } from '../types/session.ts';
import type { ThemeOptions } from '../types/theme.ts';
import type { TokensOptions } from '../types/tokens.ts';

/** Each name of a type, so that the compiler finds a name that is missing here. */
type NamesOf<T> = { readonly [Name in Extract<keyof T, string>]-?: Names | true };
/** The names of an option's members. `true`: they are not checked. */
interface Names extends Readonly<Record<string, Names | true>> {}

const SESSION = {
  strategy: true,
  maxAge: true,
  updateAge: true,
  generateSessionToken: true,
  maxLifetime: true,
  records: { store: true, revocationLag: true, maxPerUser: true, label: true, network: true },
} satisfies NamesOf<SessionOptions>;

const PAGES = {
  signIn: true,
  signOut: true,
  error: true,
  verifyRequest: true,
  newUser: true,
  sessions: true,
  account: true,
  signUp: true,
  forgotPassword: true,
  terms: true,
  privacy: true,
  help: true,
} satisfies NamesOf<PagesOptions>;

const EVENTS = {
  signIn: true,
  signOut: true,
  createUser: true,
  updateUser: true,
  linkAccount: true,
  unlinkAccount: true,
  changeEmail: true,
  deleteUser: true,
  session: true,
  sessionEnded: true,
  tokensRefreshed: true,
  tokensLost: true,
  tokensRevoked: true,
} satisfies NamesOf<EventCallbacks>;

const COOKIES = {
  sessionToken: true,
  callbackUrl: true,
  csrfToken: true,
  pkceCodeVerifier: true,
  state: true,
  nonce: true,
  webauthnChallenge: true,
  mail: true,
  recent: true,
  address: true,
  offer: true,
  tokens: true,
  prefix: true,
  migrate: true,
} satisfies NamesOf<CookiesOptions & CookiePrefixOptions>;

const THEME = {
  name: true,
  logo: true,
  favicon: true,
  colorScheme: true,
  brandColor: true,
  buttonText: true,
  radius: true,
  font: true,
  variables: true,
  lastUsed: true,
  marks: true,
} satisfies NamesOf<ThemeOptions>;

const OPTIONS = {
  providers: true,
  secret: true,
  session: SESSION,
  logout: { provider: true, backchannel: true } satisfies NamesOf<LogoutOptions>,
  account: {
    page: true,
    without: true,
    hasPassword: true,
    beforeDelete: true,
    exportMore: true,
  } satisfies NamesOf<AccountOptions>,
  linking: true,
  tokens: {
    store: true,
    accountColumns: true,
    minTtl: true,
    revokeOnSignOut: true,
    kms: true,
  } satisfies NamesOf<TokensOptions>,
  jwt: { secret: true, maxAge: true, encode: true, decode: true } satisfies NamesOf<JWTOptions>,
  pages: PAGES,
  // A callback that is never called has a warning of its own.
  callbacks: true,
  events: EVENTS,
  adapter: true,
  debug: true,
  // Applications pass whole loggers of other libraries.
  logger: true,
  theme: THEME,
  mail: { from: true, send: true } satisfies NamesOf<MailOptions>,
  locale: { languages: true, choose: true, texts: true } satisfies NamesOf<LocaleOptions>,
  useSecureCookies: true,
  cookies: COOKIES,
  trustHost: true,
  skipCSRFCheck: true,
  raw: true,
  basePath: true,
  redirectProxyUrl: true,
  redirectProxyOrigins: true,
  rateLimit: {
    credentials: true,
    email: true,
    network: true,
    store: true,
    trustedProxyHops: true,
  } satisfies NamesOf<RateLimitOptions>,
  experimental: { enableWebAuthn: true },
} satisfies NamesOf<AuthConfig>;

/** A member of the configuration that is not an option. */
export interface UnknownOption {
  /** Its path: `session.maxage`. */
  readonly path: string;
  /** The path of the option with the most similar name; `undefined` if none is similar. */
  readonly similar: string | undefined;
}

/** Lists the members of a configuration that are not options, for example because their names are misspelled. */
export function unknownOptions(config: AuthConfig): UnknownOption[] {
  return unknownIn(config as unknown as Readonly<Record<string, unknown>>, OPTIONS, '');
}

function unknownIn(options: Readonly<Record<string, unknown>>, names: Names, prefix: string): UnknownOption[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (known === undefined) {
      const similar = similarTo(name, Object.keys(names));
      return value === undefined ? [] : [{ path: prefix + name, similar: similar && prefix + similar }];
    }
    return known !== true && isRecord(value) ? unknownIn(value, known, `${prefix}${name}.`) : [];
  });
}

/** Returns the warning about unknown options; `undefined` if all options are known. */
export function unknownOptionsWarning(config: AuthConfig): Warning | undefined {
  const sentences = unknownOptions(config).map(
    ({ path, similar }) => `\`${path}\` is not an option.${similar ? ` Did you mean \`${similar}\`?` : ''}`,
  );
  return sentences.length > 0 ? { code: 'unknown-option', words: sentences.join(' ') } : undefined;
}

/**
 * Returns the most similar name; `undefined` if none is similar.
 *
 * @param most The number of letters that may differ. Default: a third of the similar name.
 */
export function similarTo(name: string, names: readonly string[], most?: number): string | undefined {
  const ranked = names
    .map((other) => ({ other, distance: distance(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  const limit = most ?? Math.max(1, Math.floor((best?.other.length ?? 0) / 3));
  return best && best.distance <= limit ? best.other : undefined;
}

/** The number of letters to insert, delete, replace or swap (optimal string alignment). Long names are cut. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, 40), other.slice(0, 40)];
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isSwapped ? at(i - 2, j - 2) + 1 : replaced));
    }
  }
  return at(a.length, b.length);
}
