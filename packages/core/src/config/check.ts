import {
  AuthError,
  InvalidEndpoints,
  MissingAdapter,
  MissingSecret,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors.ts';
import type { AuthConfig } from '../types.ts';
import { cookieProblems, cookieTable } from '../wire/cookie-table.ts';

/** What is wrong with a configuration, apart from its providers. Each message ends with its remedy. */
export function checkBasics(config: AuthConfig, secrets: readonly string[]): AuthError[] {
  const problems: AuthError[] = [];
  if (config.trustHost !== true) {
    problems.push(
      new UntrustedHost(
        'The host of the request is not trusted. Set AUTH_URL to the address of the site, or AUTH_TRUST_HOST=true (`trustHost: true`) where the server in front sets the Host header itself',
      ),
    );
  }
  if (secrets.length === 0) {
    problems.push(
      new MissingSecret(
        'No secret. Set AUTH_SECRET (`secret`) to at least 32 random characters, for example the output of `openssl rand -base64 33`. (`Auth()` itself reads no environment, see `setEnvDefaults`)',
      ),
    );
  }
  if (!Array.isArray(config.providers)) {
    problems.push(new AuthError('`providers` is not a list. Give the ways to sign in, or `[]`'));
  }
  const strategy = config.session?.strategy;
  if (strategy !== undefined && strategy !== 'jwt' && strategy !== 'database') {
    problems.push(new UnsupportedStrategy(`\`session.strategy\` is "${String(strategy)}". Use "jwt" or "database"`));
  }
  if (strategy === 'database' && !config.adapter) {
    problems.push(new MissingAdapter('Database sessions need an `adapter`. Add one, or use `session.strategy: "jwt"`'));
  }
  problems.push(...checkTimes(config), ...checkCookies(config), ...checkProxy('', config.redirectProxyUrl));
  return problems;
}

function checkTimes(config: AuthConfig): AuthError[] {
  const times = {
    'session.maxAge': config.session?.maxAge,
    'session.updateAge': config.session?.updateAge,
    'jwt.maxAge': config.jwt?.maxAge,
  };
  return Object.entries(times)
    .filter(([, value]) => value !== undefined && !(Number.isFinite(value) && value >= 0))
    .map(([name]) => new AuthError(`\`${name}\` is no number of seconds. Give a number of at least 0`));
}

/**
 * What is wrong with the address of a redirect proxy.
 *
 * @param whose What the message begins with.
 */
export function checkProxy(whose: string, url: string | undefined): InvalidEndpoints[] {
  if (!url || URL.canParse(url)) return [];
  const remedy = 'Give the full address, up to the base path, of the deployment that answers go to';
  return [new InvalidEndpoints(`${whose}\`redirectProxyUrl\` is no absolute URL. ${remedy}`)];
}

/** Judged for https, unless the configuration says otherwise: what is wrong on http only is no mistake on an https site. */
function checkCookies(config: AuthConfig): AuthError[] {
  if (!config.cookies) return [];
  const texts = cookieProblems(cookieTable(config.useSecureCookies ?? true, config.cookies));
  return [...new Set(texts)].map((text) => new AuthError(text));
}
