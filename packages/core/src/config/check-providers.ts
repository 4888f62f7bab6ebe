import {
  AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  errorOf,
  InvalidEndpoints,
  MissingAdapter,
  MissingAuthorize,
  MissingWebAuthnAutocomplete,
} from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import type { EmailConfig } from '../providers/email.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import type { OAuthConfig } from '../providers/oauth.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import { missingMethods, requiredMethods } from '../store/methods.ts';
import { allowInsecureIssuer } from '../symbols.ts';
import type { AdapterMethod } from '../types/adapter.ts';
import type { AuthConfig } from '../types/config.ts';
import type { Profile, ProviderType } from '../types/user.ts';
import { isAcceptableUrl } from '../wire/bounded-fetch.ts';
import { checkProxyUrl } from './check.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { envName } from './env.ts';
import { resolveProvider } from './provider.ts';
import { isProviderId, symbolMember, withOptions } from './provider-options.ts';
import { perBase, providerEntries, type Settings } from './settings.ts';
import { usableConfig } from './usable-config.ts';

/** The results of the checks of a configuration's providers. Each message ends with its remedy. */
export interface ProviderFindings {
  /** Problems that concern the whole configuration. */
  readonly general: readonly AuthError[];
  /** Problems that concern single providers. The other providers work. */
  readonly scoped: readonly ProviderProblem[];
}

/** A problem that concerns single providers. */
export interface ProviderProblem {
  readonly error: AuthError;
  /** The ids of the providers that cannot be used; none if the entry has no usable id. */
  readonly ids: readonly string[];
}

/** Checks the providers of a configuration and the options that they need. Remembered. */
export function providerFindings(settings: Settings): ProviderFindings {
  return findingsOf(settings, '');
}

const findingsOf = perBase(({ config }) => checkProviders(usableConfig(config)));

/** Checks as {@link providerFindings} does, and does not remember the result. */
export function checkProviders(config: AuthConfig): ProviderFindings {
  const providers: ProviderConfig[] = [];
  const scoped: ProviderProblem[] = [];
  for (const entry of providerEntries(config)) {
    let ids: readonly string[] = [];
    try {
      const provider = withOptions(entry);
      if (isProviderId(provider.id)) ids = [provider.id];
      for (const error of checkProvider(provider, config)) scoped.push({ error, ids });
      if (ids.length > 0) providers.push(provider);
    } catch (error) {
      if (ids.length === 0) ids = idOf(entry);
      scoped.push({ error: unreadable(error, ids[0]), ids });
    }
  }
  const webauthn = providers.filter((provider) => provider.type === 'webauthn');
  const adapter = checkAdapter(providers, config);
  return {
    general: [...adapter.general, ...checkRateLimit(config.rateLimit)],
    scoped: [
      ...scoped,
      ...checkIds(providers),
      ...checkCommonProxy(providers, config),
      ...checkUnverifiedEmail(providers),
      ...checkWebAuthn(webauthn, config),
      ...adapter.scoped,
    ],
  };
}

function idOf(entry: Provider): readonly string[] {
  try {
    return 'id' in entry && isProviderId(entry.id) ? [entry.id] : [];
  } catch {
    return []; // A member of the application's object throws, or the entry is not an object.
  }
}

function unreadable(error: unknown, id: string | undefined): AuthError {
  if (error instanceof AuthError) return error;
  const name = id === undefined ? 'an entry of `providers`' : `provider "${id}"`;
  return new AuthError(`${name} cannot be read: ${errorOf(error).message}. Correct what \`cause\` describes`, {
    cause: errorOf(error),
  });
}

function checkIds(providers: readonly ProviderConfig[]): ProviderProblem[] {
  const ids = providers.map((provider) => provider.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => ({
    error: new AuthError(`more than one provider has the id "${id}". Give one of them another \`id\` in its options`),
    ids: [id],
  }));
}

/** Checks the configuration's `redirectProxyUrl`, which the providers without one of their own use. */
function checkCommonProxy(providers: readonly ProviderConfig[], { redirectProxyUrl }: AuthConfig): ProviderProblem[] {
  const ids = providers.flatMap((one) => (isOAuth(one) && !one.redirectProxyUrl ? [one.id] : []));
  return checkProxyUrl('', redirectProxyUrl).map((error) => ({ error, ids }));
}

const POLICIES: readonly unknown[] = ['verify', 'refuse', 'allow', undefined];
const VERIFICATIONS: readonly unknown[] = ['always', 'claim', 'never', undefined];

/** Checks what providers do with addresses that are not proven. */
function checkUnverifiedEmail(providers: readonly ProviderConfig[]): ProviderProblem[] {
  const canMail = providers.some(({ type }) => type === 'email');
  return providers.flatMap((provider) => {
    if (!isOAuth(provider) && provider.type !== 'webauthn') return [];
    const { id, unverifiedEmail } = provider;
    const verification = isOAuth(provider) ? provider.emailVerification : undefined;
    const texts = [
      POLICIES.includes(unverifiedEmail) ? [] : '`unverifiedEmail` must be "verify", "refuse" or "allow"',
      unverifiedEmail === 'verify' && !canMail
        ? '`unverifiedEmail: "verify"` needs an email provider. Add one, or use "refuse" or "allow"'
        : [],
      VERIFICATIONS.includes(verification) || typeof verification === 'function'
        ? []
        : '`emailVerification` must be "always", "claim" or "never"',
    ].flat();
    return texts.map((text) => ({ error: new AuthError(`provider "${id}": ${text}`), ids: [id] }));
  });
}

function isOAuth(provider: ProviderConfig): provider is Extract<ProviderConfig, { type: 'oauth' | 'oidc' }> {
  return provider.type === 'oauth' || provider.type === 'oidc';
}

function* checkProvider(provider: ProviderConfig, config: AuthConfig): Iterable<AuthError> {
  const { id, type } = provider;
  if (!isProviderId(id)) {
    yield new AuthError(
      `a provider's \`id\` (${JSON.stringify(id)}) must be a segment of a path. Use letters, digits, "-" and "_"`,
    );
  } else if (type === 'oauth' || type === 'oidc') {
    yield* checkOAuth(provider, config);
  } else if (type === 'email') {
    yield* checkEmail(provider);
  } else if (type === 'credentials') {
    if (typeof provider.authorize === 'function') return;
    yield new MissingAuthorize(`provider "${id}" has no \`authorize\`. Add the function that checks the credentials`);
  } else if (type !== 'webauthn') {
    yield new AuthError(
      `provider "${id}" has the unknown \`type\` ${JSON.stringify(String(type).slice(0, 40))}. Use "oidc", "oauth", "email", "credentials" or "webauthn"`,
    );
  }
}

function* checkEmail({ id, maxAge, code, confirm, sendVerificationRequest }: EmailConfig): Iterable<AuthError> {
  if (code !== undefined && typeof code !== 'boolean') {
    yield new AuthError(`provider "${id}": \`code\` must be true or false. Correct it, or leave it out`);
  }
  if (confirm !== undefined && confirm !== 'other-browser' && typeof confirm !== 'boolean') {
    yield new AuthError(
      `provider "${id}": \`confirm\` must be true, false or "other-browser". Correct it, or leave it out`,
    );
  }
  if (code === true && confirm === false) {
    yield new AuthError(
      `provider "${id}": \`confirm: false\` cannot be combined with \`code: true\`. Remove \`confirm\`, or set it to \`true\``,
    );
  }
  if (typeof sendVerificationRequest !== 'function') {
    yield new AuthError(`provider "${id}" has no \`sendVerificationRequest\`. Add the function that mails the link`);
  }
  if (maxAge !== undefined && !(Number.isFinite(maxAge) && maxAge > 0)) {
    yield new AuthError(`provider "${id}": \`maxAge\` must be a number of seconds, more than 0`);
  }
}

function checkOAuth(provider: OAuthConfig<Profile>, config: AuthConfig): AuthError[] {
  const { id, issuer } = provider;
  const isInsecureAllowed = symbolMember(provider, allowInsecureIssuer) === true;
  const [wellKnown, jwks_endpoint] = [urlOf(provider.wellKnown), urlOf(provider.jwks_endpoint)];
  const endpoints = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(provider.userinfo),
  };
  const problems: AuthError[] = checkProxyUrl(`provider "${id}": `, urlOf(provider.redirectProxyUrl));
  if (provider.offline && provider.offlineAccess === false) {
    problems.push(new AuthError(`provider "${id}" has no refresh tokens. Remove \`offline\``));
  }
  if (provider.apis && !provider.apis.every((api) => isAcceptableUrl(api.replace('://*.', '://'), isInsecureAllowed))) {
    problems.push(new AuthError(`provider "${id}": \`apis\` must be a list of https URLs. Correct it`));
  }
  for (const [name, url] of Object.entries({ issuer, wellKnown, jwks_endpoint, ...endpoints })) {
    if (url && !isAcceptableUrl(url, isInsecureAllowed)) {
      const text = `provider "${id}": \`${name}\` must be an https URL, and is ${shownUrl(url)}. An http URL works for localhost, and elsewhere only with the option [allowInsecureIssuer]`;
      problems.push(new InvalidEndpoints(text));
    }
  }
  const missing = issuer || wellKnown ? undefined : missingEndpoints(provider, endpoints);
  if (missing !== undefined) problems.push(new InvalidEndpoints(missing));
  // Reads each option, also the application's functions. Their exceptions concern this provider only.
  if (problems.length === 0 && checkProxyUrl('', config.redirectProxyUrl).length === 0) {
    resolveProvider(provider, 'https://site.invalid', config.redirectProxyUrl);
  }
  return problems;
}

/** Without path and query, which may have secrets. A wrong value is of any type. */
function shownUrl(url: unknown): string {
  const { protocol, host } = URL.parse(String(url)) ?? {};
  return JSON.stringify(host ? `${protocol}//${host}` : String(url).slice(0, 80));
}

/** Returns what a provider without metadata lacks, with the remedy; `undefined` if it can be used. */
function missingEndpoints(
  provider: OAuthConfig<Profile>,
  urls: Record<string, string | undefined>,
): string | undefined {
  const { id, type } = provider;
  const has = (key: 'token' | 'userinfo'): boolean => {
    const endpoint = provider[key];
    return Boolean(urls[key] || (isRecord(endpoint) && endpoint['request']));
  };
  const missing = [
    !urls.authorization && 'authorization',
    !has('token') && 'token',
    type === 'oauth' && !has('userinfo') && 'userinfo',
  ].filter((name) => typeof name === 'string');
  const remedy = `Set the issuer (AUTH_${envName(id)}_ISSUER), or`;
  if (missing.length > 0) {
    return `provider "${id}" has neither an \`issuer\` nor its endpoints (missing: ${missing.join(', ')}). ${remedy} the endpoints`;
  }
  if (type === 'oauth') return undefined;
  // An ID token must name the expected issuer (OpenID Connect Core §3.1.3.7, step 2).
  return `provider "${id}" has no \`issuer\`, so its ID tokens cannot be checked. ${remedy} \`type: "oauth"\``;
}

/** `withOptions` has turned objects of the class `URL` into strings. */
function urlOf(endpoint: string | URL | { url?: string | URL | undefined } | undefined): string | undefined {
  const url: unknown = isRecord(endpoint) ? endpoint['url'] : endpoint;
  return typeof url === 'string' ? url : undefined;
}

const STORELESS: Partial<Record<ProviderType, string>> = {
  email: 'sign-in by email needs a store. Add an `adapter`',
  webauthn: 'passkeys need a store. Add an `adapter`',
};

function checkAdapter(providers: readonly ProviderConfig[], { adapter, session }: AuthConfig): ProviderFindings {
  const idsOf = (types: readonly ProviderType[]): string[] =>
    providers.filter(({ type }) => types.includes(type)).map(({ id }) => id);
  const types = [...new Set(providers.map(({ type }) => type))];
  if (!adapter) {
    const scoped = types.flatMap((type) => {
      const text = STORELESS[type];
      return text === undefined ? [] : [{ error: new MissingAdapter(text), ids: idsOf([type]) }];
    });
    return { general: [], scoped };
  }
  // An adapter that a function makes is checked when it is made.
  if (typeof adapter === 'function') return { general: [], scoped: [] };
  const ofSessions = requiredMethods([], session?.strategy === 'jwt' ? 'jwt' : 'database');
  const general = missingMethods(adapter, ofSessions);
  const others = (type: ProviderType): readonly AdapterMethod[] =>
    requiredMethods([type], 'jwt').filter((name) => !ofSessions.includes(name));
  const lacking = types.filter((type) => missingMethods(adapter, others(type)));
  const error = missingMethods(adapter, [...new Set(lacking.flatMap(others))]);
  return { general: general ? [general] : [], scoped: error ? [{ error, ids: idsOf(lacking) }] : [] };
}

function* checkWebAuthn(providers: readonly WebAuthnConfig[], { experimental }: AuthConfig): Iterable<ProviderProblem> {
  if (providers.length === 0) return;
  if (experimental?.enableWebAuthn !== true) {
    const text = 'passkeys are experimental. Set `experimental.enableWebAuthn: true`';
    yield { error: new ExperimentalFeatureNotEnabled(text), ids: providers.map(({ id }) => id) };
  }
  yield* checkAutofill(providers.filter((provider) => provider.enableConditionalUI));
  for (const provider of providers) {
    const { id } = provider;
    for (const text of [...siteProblems(provider), ...versionProblems(provider)]) {
      yield { error: new AuthError(`provider "${id}": ${text}`), ids: [id] };
    }
  }
}

function* checkAutofill(providers: readonly WebAuthnConfig[]): Iterable<ProviderProblem> {
  if (providers.length > 1) {
    const text = 'more than one provider has `enableConditionalUI`. Set it to `false` for all but one';
    yield { error: new DuplicateConditionalUI(text), ids: providers.map(({ id }) => id) };
  }
  for (const { id, formFields } of providers) {
    const fields = Object.values(formFields ?? {});
    if (fields.some((field) => /\bwebauthn\b/.test(String(field?.autocomplete)))) continue;
    const text = `provider "${id}" has \`enableConditionalUI\`, but none of its \`formFields\` has autocomplete "… webauthn". Add it to one`;
    yield { error: new MissingWebAuthnAutocomplete(text), ids: [id] };
  }
}

/** Browsers compare origins and domains letter by letter, so a value that is only similar never matches. */
function* siteProblems({ relayingParty }: WebAuthnConfig): Iterable<string> {
  for (const origin of [relayingParty?.origin ?? []].flat()) {
    if (origin !== '' && !isOrigin(origin)) {
      yield `\`relayingParty.origin\` (${origin}) must be an origin. Write it like https://example.com, without a path`;
    }
  }
  for (const id of [relayingParty?.id ?? []].flat()) {
    if (id !== '' && !isDomain(id)) {
      yield `\`relayingParty.id\` (${id}) must be a domain. Write it like example.com, without scheme and port`;
    }
  }
}

function isOrigin(text: string): boolean {
  // Android apps have origins of another form.
  return (URL.canParse(text) && new URL(text).origin === text) || /^android:apk-key-hash:[\w-]+$/.test(text);
}

function isDomain(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).hostname === text;
}

const VERSION = /^v\d+(?:\.\d+){0,2}$/;

function* versionProblems({ simpleWebAuthn, simpleWebAuthnBrowserVersion: version }: WebAuthnConfig): Iterable<string> {
  if (version !== undefined && version !== false && !VERSION.test(String(version))) {
    yield `\`simpleWebAuthnBrowserVersion\` (${String(version)}) must be a version. Leave it out`;
  }
  const problem = typeof simpleWebAuthn === 'function' ? undefined : libraryProblem(simpleWebAuthn);
  if (problem !== undefined) yield problem;
}

const FUNCTIONS = [
  'generateAuthenticationOptions',
  'generateRegistrationOptions',
  'verifyAuthenticationResponse',
  'verifyRegistrationResponse',
];

/**
 * Checks an object that is used as `@simplewebauthn/server`.
 *
 * Up to version 10 the function that verifies a sign-in takes an `authenticator`, since version 11 a `credential`. Its
 * source text is the only difference that can be seen before a sign-in. A function whose text names neither is
 * accepted.
 *
 * @returns The problem and its remedy; `undefined` if the object can be used.
 */
export function libraryProblem(library: object | undefined): string | undefined {
  const functions: Partial<Record<string, unknown>> = { ...library };
  const missing = FUNCTIONS.filter((name) => typeof functions[name] !== 'function');
  if (missing.length > 0)
    return `\`simpleWebAuthn\` lacks ${missing.join(', ')}. Take the provider from "@latchkey/core/providers/passkey", which brings it, or pass the module \`@simplewebauthn/server\``;
  const text = String(functions['verifyAuthenticationResponse']);
  if (!readsMember(text, 'authenticator') || readsMember(text, 'credential')) return undefined;
  return '`simpleWebAuthn` is an old version of @simplewebauthn/server. Install version 14 or newer, and take the provider from "@latchkey/core/providers/passkey"';
}

/** Returns whether the source text of a function reads this member of its argument. */
function readsMember(source: string, member: string): boolean {
  return new RegExp(`[{,(]\\s*${member}\\s*[,:}=]|\\.${member}\\b`).test(source);
}
