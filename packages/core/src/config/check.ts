import { AuthError, MissingAdapter, MissingSecret, UnsupportedStrategy, UntrustedHost } from '../errors.ts';
import type { AuthConfig } from '../types.ts';
import { cookieProblems } from '../wire/cookie-problems.ts';
import { cookieTable } from '../wire/cookie-table.ts';
import { checkProxy } from './check-proxy.ts';
import type { Doubt } from './doubts.ts';
import type { Warning } from './logger.ts';

/** What was found in a configuration, apart from its providers. */
export interface Findings {
  /** What is wrong. Each message ends with its remedy. */
  readonly problems: readonly AuthError[];
  /** What the owner is to be told of a configuration that works. */
  readonly warnings: readonly Warning[];
}

/** Looks at a configuration, apart from its providers, where it is doubtful. */
export function checkBasics(config: AuthConfig, doubts: readonly Doubt[]): Findings {
  const found = doubts.flatMap((doubt) => ANSWERS[doubt](config, doubt));
  return {
    problems: found.filter((one) => one instanceof AuthError),
    warnings: found.filter((one): one is Warning => !(one instanceof AuthError)),
  };
}

type Finding = AuthError | Warning;

const ANSWERS: Readonly<Record<Doubt, (config: AuthConfig, name: Doubt) => Finding | readonly Finding[]>> = {
  trustHost: () =>
    new UntrustedHost(
      'The host of the request is not trusted. Set AUTH_URL to the address of the site, or AUTH_TRUST_HOST=true (`trustHost: true`) where the server in front sets the Host header itself',
    ),
  secret: () =>
    new MissingSecret(
      'No secret. Set AUTH_SECRET (`secret`) to at least 32 random characters, for example the output of `openssl rand -base64 33`. (`Auth()` itself reads no environment, see `setEnvDefaults`)',
    ),
  providers: () => new AuthError('`providers` is not a list. Give the ways to sign in, or `[]`'),
  'session.strategy': ({ session }) =>
    new UnsupportedStrategy(`\`session.strategy\` is "${String(session?.strategy)}". Use "jwt" or "database"`),
  adapter: () => new MissingAdapter('Database sessions need an `adapter`. Add one, or use `session.strategy: "jwt"`'),
  'session.maxAge': noTime,
  'session.updateAge': noTime,
  'jwt.maxAge': noTime,
  cookies: checkCookies,
  redirectProxyUrl: ({ redirectProxyUrl }) => checkProxy('', redirectProxyUrl),
  shortSecret: () => ({
    code: 'short-secret',
    words: 'a secret has fewer than 32 characters. Make one with `openssl rand -base64 33`.',
  }),
  debug: () => ({ code: 'debug-enabled', words: 'debug is on. Leave it off in production.' }),
  enableWebAuthn: () => ({ code: 'experimental-webauthn', words: 'passkeys are experimental and may change.' }),
};

function noTime(_: AuthConfig, name: Doubt): AuthError {
  return new AuthError(`\`${name}\` is no number of seconds. Give a number of at least 0`);
}

/** Judged for https, unless the configuration says otherwise: what is wrong on http only is no mistake on an https site. */
function checkCookies({ cookies, useSecureCookies }: AuthConfig): AuthError[] {
  const texts = cookieProblems(cookieTable(useSecureCookies ?? true, cookies));
  return [...new Set(texts)].map((text) => new AuthError(text));
}
