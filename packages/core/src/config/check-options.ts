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
import { misspelledProviderOptions } from './check-provider-options.ts';
import { similarTo, type UnknownOption } from './similar-name.ts';

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
  legacySession: true,
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
  // Readers of the application's own have further members.
  legacy: true,
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

/** Lists the members of a configuration that are not options, for example because their names are misspelled. */
export function unknownOptions(config: AuthConfig): UnknownOption[] {
  const own = unknownIn(config as unknown as Readonly<Record<string, unknown>>, OPTIONS, '');
  return [...own, ...misspelledProviderOptions(config)];
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
