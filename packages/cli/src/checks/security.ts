import type { Inspection } from '@latchkey/core/inspection';

/** An option that lowers security. */
interface Lowered {
  readonly option: string;
  /** Its effect, as a clause. */
  readonly effect: string;
  /** Id of the provider whose option it is. */
  readonly provider?: string;
}

type ProviderOptions = { readonly id: string; readonly type: string; readonly allowInsecure?: boolean };

type Env = Readonly<Record<string, string | undefined>>;

/** Lists the options that lower security. */
export function loweredSecurity(given: object, inspection: Inspection, env: Env): Lowered[] {
  const { config, providers } = inspection;
  const lowered: Lowered[] = [];
  const add = (option: string, isSet: unknown, effect: string, provider?: string): void => {
    if (isSet) lowered.push({ option, effect, ...(provider !== undefined && { provider }) });
  };
  const isHttps = /^https:/.test(env['AUTH_URL'] ?? '') || env['NODE_ENV'] === 'production';
  const session = config.cookies?.sessionToken?.options;
  add('skipCSRFCheck', config.skipCSRFCheck, 'other sites can send the forms of your visitors');
  add('allowShortSecret', hasSymbol(given, 'short'), 'attackers can guess the secret');
  add('useSecureCookies: false', config.useSecureCookies === false && isHttps, 'cookies are sent over http');
  add('cookies.sessionToken.options.httpOnly: false', session?.httpOnly === false, 'scripts can read the session');
  add(
    'cookies.sessionToken.options.secure: false',
    session?.secure === false && isHttps,
    'the session is sent over http',
  );
  add("cookies.sessionToken.options.sameSite: 'none'", session?.sameSite === 'none', 'other sites can use the session');
  add('rateLimit: false', config.rateLimit === false, 'passwords and codes can be guessed without a limit');
  const limits = typeof config.rateLimit === 'object' ? config.rateLimit : {};
  add('rateLimit.credentials: false', limits.credentials === false, 'passwords can be guessed without a limit');
  add('rateLimit.email: false', limits.email === false, 'an address can be flooded with mails');
  const written = optionsOf(config.providers);
  for (const { id, type, allowInsecure } of providers as unknown as readonly ProviderOptions[]) {
    const options = written.get(id) ?? {};
    add(
      'allowDangerousEmailAccountLinking',
      options['allowDangerousEmailAccountLinking'],
      'an attacker who gets the address at the provider becomes the user',
      id,
    );
    add("unverifiedEmail: 'allow'", options['unverifiedEmail'] === 'allow', 'addresses count without a proof', id);
    add('idToken: false', type === 'oidc' && options['idToken'] === false, 'the ID token is not checked', id);
    const unchecked = 'a callback is not bound to the browser by PKCE or nonce';
    add("checks: ['none']", isUnchecked(options['checks']), unchecked, id);
    add('allowInsecureIssuer', allowInsecure, 'tokens and secrets are sent over http', id);
  }
  return lowered;
}

/** Returns the options that the application has written, by the id of the provider. Others are facts of the vendor. */
function optionsOf(entries: unknown): ReadonlyMap<unknown, Readonly<Record<string, unknown>>> {
  const objects = Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  return new Map(objects.map((entry) => [entry.options?.id ?? entry.id, entry.options ?? entry]));
}

function isUnchecked(checks: unknown): boolean {
  return Array.isArray(checks) && (checks.length === 0 || (checks.length === 1 && checks[0] === 'none'));
}

/** The symbols of another copy of core are other symbols, so their descriptions are compared. */
function hasSymbol(object: object, words: string): boolean {
  return Object.getOwnPropertySymbols(object).some(
    (symbol) => String(symbol.description).includes(words) && Reflect.get(object, symbol) === true,
  );
}
