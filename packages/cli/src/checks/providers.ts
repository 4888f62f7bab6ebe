import type { Inspection } from '@latchkey/core/inspection';
import { clean } from '../terminal.ts';
import { envName } from './configuration.ts';
import type { Report } from './finding.ts';
import { probeClient } from './probe.ts';
import { get, isLoopback, jsonObject } from './request.ts';

type InspectedProvider = Inspection['providers'][number];

/** A provider of OAuth or OpenID Connect with its addresses. */
export interface RemoteProvider {
  readonly id: string;
  readonly type: 'oauth' | 'oidc';
  readonly issuer: string | undefined;
  readonly wellKnown: string | undefined;
  readonly jwks_endpoint: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly client: { readonly token_endpoint_auth_method?: string };
  readonly checks: readonly string[];
  readonly redirectUri: string;
  readonly tokenIssuer: unknown;
  readonly token: { readonly url?: URL; readonly request?: unknown };
  readonly userinfo: { readonly url?: URL; readonly request?: unknown };
  readonly idToken: boolean;
  /** The owner accepts http on other hosts than loopback. */
  readonly allowInsecure: boolean;
  readonly fetch: typeof fetch;
}

/** The metadata that a provider publishes. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Checks what a provider publishes. With `probe`, it also sends an invalid code to the token endpoint. */
export async function checkProvider(
  provider: InspectedProvider,
  { probe }: { readonly probe: boolean },
  report: Report,
): Promise<void> {
  if (!isRemote(provider)) return;
  const metadata = await checkMetadata(provider, report);
  const keys = provider.jwks_endpoint ?? textOf(metadata?.['jwks_uri']);
  if (keys !== undefined && provider.type === 'oidc') await checkKeys(provider, keys, report);
  if (metadata) checkSupport(provider, metadata, report);
  if (probe) await probeClient(provider, isOfIssuer(provider, report) ? metadata : undefined, report);
}

/** The library does not use metadata of another issuer, so they must not get the client secret. */
function isOfIssuer({ id }: RemoteProvider, { findings }: Report): boolean {
  return !findings.some((finding) => finding.id === 'provider-issuer' && finding.facts['provider'] === id);
}

/** A provider with a problem is not resolved, and has no `redirectUri`. */
function isRemote(provider: InspectedProvider): provider is InspectedProvider & RemoteProvider {
  return (provider.type === 'oauth' || provider.type === 'oidc') && 'redirectUri' in provider;
}

const SUFFIX = '/.well-known/openid-configuration';

async function checkMetadata(provider: RemoteProvider, report: Report): Promise<Metadata | undefined> {
  const { id, issuer, wellKnown } = provider;
  const url = wellKnown ?? (issuer && issuer.replace(/\/$/, '') + SUFFIX);
  const need = needOf(provider);
  if (!url || need === 'nothing') return undefined;
  const facts = { provider: id, url };
  const remedy = wellKnown ? 'Check `wellKnown`.' : `Check AUTH_${envName(id)}_ISSUER.`;
  const answer = await get(url, provider.fetch);
  const failure = answer.ok ? (answer.status === 200 ? undefined : `answered ${answer.status}`) : answer.reason;
  if (!answer.ok || failure !== undefined) {
    // A provider whose endpoints are all configured may publish no keys.
    if (need === 'keys' && answer.ok && answer.status === 404) return undefined;
    report.add('provider-metadata', { message: `provider "${id}": GET ${url} ${failure}.`, remedy, facts });
    return undefined;
  }
  const metadata = jsonObject(answer.body);
  report.check(
    'provider-metadata',
    !metadata && { message: `provider "${id}": GET ${url} did not answer with JSON.`, remedy, facts },
  );
  checkClock(id, url, answer.skew, report);
  if (metadata) checkIssuer(provider, metadata, report);
  return metadata;
}

/** Returns for what the library fetches the metadata. */
function needOf({ type, token, userinfo, idToken, jwks_endpoint }: RemoteProvider): 'endpoints' | 'keys' | 'nothing' {
  const needsUserinfo = (type === 'oauth' || !idToken) && !userinfo.url && !userinfo.request;
  if ((!token.url && !token.request) || needsUserinfo) return 'endpoints';
  return type === 'oidc' && !jwks_endpoint ? 'keys' : 'nothing';
}

/** Seconds by which an ID token may be from the future. */
const SKEW = 30;

function checkClock(id: string, url: string, skew: number | undefined, report: Report): void {
  const { host } = new URL(url);
  const seconds = skew === undefined ? 0 : -skew;
  report.check(
    'clock',
    Math.abs(seconds) > SKEW && {
      level: 'warning',
      message: `This clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${host}.`,
      remedy: `ID tokens are refused above ${SKEW} s. Check the time of this server.`,
      facts: { provider: id, seconds, host },
    },
  );
}

function checkIssuer({ id, issuer, wellKnown, tokenIssuer }: RemoteProvider, metadata: Metadata, report: Report): void {
  if (tokenIssuer !== undefined) return;
  const published = textOf(metadata['issuer']);
  const expected = issuer ?? (wellKnown?.endsWith(SUFFIX) ? wellKnown.slice(0, -SUFFIX.length) : published);
  report.check(
    'provider-issuer',
    !isSameUrl(published, expected) && {
      message: `provider "${id}": the metadata's issuer is ${JSON.stringify(published ?? null)}, the configured one is ${JSON.stringify(expected)}.`,
      remedy: `Set AUTH_${envName(id)}_ISSUER to the issuer of the metadata, letter by letter.`,
      facts: { provider: id, published: published ?? '', expected: expected ?? '' },
    },
  );
}

/** As sign-ins compare issuers: `https://id.example` and `https://id.example/` are one URL. */
function isSameUrl(one: string | undefined, other: string | undefined): boolean {
  return (
    one === other ||
    (one !== undefined && other !== undefined && URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href)
  );
}

async function checkKeys({ id, fetch }: RemoteProvider, url: string, report: Report): Promise<void> {
  const answer = await get(url, fetch);
  const keys = answer.ok ? jsonObject(answer.body)?.['keys'] : undefined;
  const failure = answer.ok ? `answered ${answer.status}` : answer.reason;
  const isGood = answer.ok && answer.status === 200 && Array.isArray(keys) && keys.length > 0;
  report.check(
    'provider-keys',
    !isGood && {
      message: `provider "${id}": GET ${url} ${answer.ok && answer.status === 200 ? 'has no keys' : failure}.`,
      remedy: 'ID tokens cannot be checked without the keys. Check the provider, or `jwks_endpoint`.',
      facts: { provider: id, url },
    },
  );
}

function checkSupport(provider: RemoteProvider, metadata: Metadata, report: Report): void {
  const { id, checks, client } = provider;
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'];
  const plain = endpoints.filter((name) => /^http:/.test(textOf(metadata[name]) ?? '') && !isLoopback(metadata[name]));
  report.check(
    'provider-https',
    plain.length > 0 && {
      message: `provider "${id}": the metadata's ${plain.join(', ')} must be an https URL.`,
      remedy: 'Configure the provider to publish https URLs. Behind a proxy, it may need its own public URL.',
      facts: { provider: id },
    },
  );
  const methods = metadata['code_challenge_methods_supported'];
  report.check(
    'provider-pkce',
    checks.includes('pkce') &&
      Array.isArray(methods) &&
      !methods.includes('S256') && {
        level: 'warning',
        message: `provider "${id}": the metadata does not list S256, but \`checks\` has "pkce".`,
        remedy: "Check that the provider supports PKCE. If it refuses it, use `checks: ['state', 'nonce']`.",
        facts: { provider: id },
      },
  );
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic';
  // RFC 8414 §2: without the list, only client_secret_basic is supported. Many servers leave the list out.
  const supported = metadata['token_endpoint_auth_methods_supported'];
  report.check(
    'provider-client-auth',
    Array.isArray(supported) &&
      !supported.includes(method) && {
        message: `provider "${id}": the client authenticates by ${method}; the provider supports ${supported.join(', ')}.`,
        remedy: `Set \`client: { token_endpoint_auth_method: '${String(supported[0])}' }\`.`,
        facts: { provider: id, method },
      },
  );
}

/** Returns whether the library would send secrets to a URL: https, or http on loopback. */
export function isAcceptable(url: string, { allowInsecure }: RemoteProvider): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && (allowInsecure || isLoopback(url)));
}

/** Without control characters, because JSON would write them as escapes. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? clean(value) : undefined;
}
