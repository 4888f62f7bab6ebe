import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import { envName } from '../../config/env.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError, because, errorOf, InvalidEndpoints, OAuthCallbackError } from '../../errors.ts';
import { isRecord, readObject } from '../../plain-object.ts';
import type { RefusalCause } from '../../types/cause.ts';
import { isAcceptableUrl } from '../../wire/bounded-fetch.ts';
import { remoteCache } from './remote.ts';
import { outcomeOf, remoteFacts } from './remote-error.ts';

/** An authorization server's metadata (RFC 8414 §2). */
export type Server = oauth.AuthorizationServer;

/**
 * Returns the metadata that a provider publishes (OpenID Connect Discovery §4). They are fetched once for simultaneous
 * requests and remembered for an hour. If the provider is down, they are used for up to a day.
 *
 * @throws {InvalidEndpoints} if the provider has no issuer, or an endpoint is not acceptable.
 */
export async function discover(provider: OAuthProvider): Promise<Server> {
  const location = discoveryLocation(provider);
  if (!location) throw new InvalidEndpoints(`provider "${provider.id}" has no issuer. Set \`issuer\``);
  const { metadata } = remoteCache(provider.fetch);
  const known = metadata.get(location.key);
  if (known && Date.now() - known.at < limits.metadataFresh * 1000) return known.server;
  const loading = { server: fetchMetadata(provider, location), at: Date.now() };
  metadata.set(location.key, loading);
  try {
    return await loading.server;
  } catch (error) {
    if (metadata.get(location.key) === loading) metadata.delete(location.key);
    throw error;
  }
}

/** Where a provider publishes its metadata. */
interface DiscoveryLocation {
  readonly url: string;
  /**
   * The URL with the options that the metadata is checked against: another provider may demand more of the same URL.
   */
  readonly key: string;
}

function discoveryLocation(provider: OAuthProvider): DiscoveryLocation | undefined {
  const { wellKnown, issuer, allowInsecure, tokenIssuer, client } = provider;
  const url = wellKnown || (issuer && issuer.replace(/\/$/, '') + SUFFIX);
  const demands = [issuer ?? '', allowInsecure, tokenIssuer !== undefined, client.use_mtls_endpoint_aliases === true];
  return url ? { url, key: `${url} ${demands.join(' ')}` } : undefined;
}

/** Says why a provider's metadata cannot be used: the address, the outcome, and what to check. */
export function metadataFailure(provider: OAuthProvider, error: Error): string {
  const { id, wellKnown } = provider;
  const option = wellKnown ? '`wellKnown`' : `AUTH_${envName(id)}_ISSUER (\`issuer\`)`;
  const { url = '' } = discoveryLocation(provider) ?? {};
  return `provider "${id}": GET ${url} ${issuerProblem(provider, error) ?? outcomeOf(error)}. Check ${option}`;
}

/** Returns the cause behind {@link metadataFailure}. */
export function metadataCause(provider: OAuthProvider, error: Error): RefusalCause {
  return issuerProblem(provider, error) === undefined ? 'metadata-unreachable' : 'metadata-issuer';
}

/** Returns how the metadata's issuer differs; `undefined` if the error is about something else. */
function issuerProblem({ id, issuer }: OAuthProvider, error: Error): string | undefined {
  if (!(error instanceof oauth.OperationProcessingError)) return undefined;
  if (error.code !== oauth.JSON_ATTRIBUTE_COMPARISON) return undefined;
  const { expected, body } = error.cause as { expected: string; body: Record<string, unknown> };
  const option = issuer === undefined ? 'the URL names' : `AUTH_${envName(id)}_ISSUER is`;
  return `answered, but the metadata's issuer is ${JSON.stringify(body['issuer'])}, ${option} ${JSON.stringify(issuer ?? expected)}`;
}

const SUFFIX = '/.well-known/openid-configuration';

async function fetchMetadata(provider: OAuthProvider, { url }: DiscoveryLocation): Promise<Server> {
  const answer = await remoteCache(provider.fetch).fetchMetadata(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
  });
  const metadata = readObject(await answer.clone().text());
  const server = await oauth.processDiscoveryResponse(expectedIssuer(provider, metadata), answer);
  checkEndpoints(provider, server);
  return server;
}

/**
 * Without a configured issuer, the URL of the metadata names it. A `wellKnown` of another form, and a provider with an
 * issuer per tenant, may name any issuer.
 */
function expectedIssuer(
  { id, issuer, wellKnown, tokenIssuer }: OAuthProvider,
  metadata: Record<string, unknown> | undefined,
): URL {
  const published = metadata?.['issuer'];
  const fromUrl = wellKnown?.endsWith(SUFFIX) ? wellKnown.slice(0, -SUFFIX.length) : published;
  const expected = tokenIssuer ? (published ?? issuer) : (issuer ?? fromUrl);
  if (typeof expected === 'string' && URL.canParse(expected)) return new URL(expected);
  throw new InvalidEndpoints(`provider "${id}": the issuer must be a URL. Set \`issuer\` to the one in the metadata`, {
    provider: id,
  });
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const;

/** Metadata must not send visitors, or the client secret, to any address. */
function checkEndpoints(provider: OAuthProvider, server: Server): void {
  // RFC 8705 §5: with the option, the client's secret and tokens go to the aliases instead.
  const aliases = provider.client.use_mtls_endpoint_aliases === true ? server.mtls_endpoint_aliases : undefined;
  for (const [path, url] of [...endpointsOf(server), ...endpointsOf(aliases, 'mtls_endpoint_aliases.')]) {
    if (url === undefined || (typeof url === 'string' && isAcceptableUrl(url, provider.allowInsecure))) continue;
    throw new InvalidEndpoints(
      `provider "${provider.id}": the metadata's ${path} must be an https URL. Set the endpoint, or for http the option [allowInsecureIssuer]`,
      { provider: provider.id },
    );
  }
}

function endpointsOf(metadata: unknown, prefix = ''): [path: string, url: unknown][] {
  if (!isRecord(metadata)) return [];
  return ENDPOINTS.map((name) => [prefix + name, metadata[name]]);
}

/** The authorization server as a callback needs it. */
export interface CallbackServer {
  /** Metadata; configured endpoints win. */
  readonly server: Server;
  /** Whether the address of the signing keys is known. */
  readonly hasKeys: boolean;
}

/**
 * Stands for the issuer of a provider without one, because the protocol library demands an issuer. No server can have
 * this name (RFC 6761 §6.4).
 */
export const NO_ISSUER = 'https://issuer.invalid';

/**
 * Returns the server that a callback talks to. Metadata is fetched only if an endpoint or the keys are not configured.
 *
 * @throws {OAuthCallbackError} if they cannot be fetched.
 */
export async function callbackServer(provider: OAuthProvider): Promise<CallbackServer> {
  const { token, userinfo, jwks_endpoint: keys, issuer } = provider;
  const metadata = await callbackMetadata(provider);
  const server: Server = {
    ...metadata,
    issuer: metadata?.issuer || issuer || NO_ISSUER,
    ...(token.url && { token_endpoint: withParams(token.url, token.params).href }),
    ...(userinfo.url && { userinfo_endpoint: withParams(userinfo.url, userinfo.params).href }),
    ...(keys && { jwks_uri: keys }),
  };
  return { server, hasKeys: server.jwks_uri !== undefined };
}

async function callbackMetadata(provider: OAuthProvider): Promise<Server | undefined> {
  try {
    return await neededMetadata(provider);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const failure = errorOf(error);
    const facts = { ...remoteFacts(failure), provider: provider.id };
    throw because(metadataCause(provider, failure), new OAuthCallbackError(metadataFailure(provider, failure), facts));
  }
}

async function neededMetadata(provider: OAuthProvider): Promise<Server | undefined> {
  if (!discoveryLocation(provider)) return undefined;
  const { token, userinfo, type, idToken, jwks_endpoint } = provider;
  const needsToken = !token.url && !token.request;
  const needsUserinfo = (type === 'oauth' || !idToken) && !userinfo.url && !userinfo.request;
  if (needsToken || needsUserinfo) return discover(provider);
  const needsKeys = type === 'oidc' && !jwks_endpoint;
  return needsKeys ? publishedMetadata(provider) : undefined;
}

/**
 * If all endpoints are configured, an answer 404 means that the provider publishes no keys. Other failures are errors.
 */
async function publishedMetadata(provider: OAuthProvider): Promise<Server | undefined> {
  try {
    return await discover(provider);
  } catch (error) {
    const answer = error instanceof oauth.OperationProcessingError ? error.cause : undefined;
    if (answer instanceof Response && answer.status === 404) return undefined;
    throw error;
  }
}

/** Returns the object by which the protocol library remembers a server's signing keys, see `RemoteCache.keySets`. */
export function keySetOf(provider: OAuthProvider, { issuer, jwks_uri = '' }: Server): Server {
  const { keySets } = remoteCache(provider.fetch);
  return keySets.getOrSet(jwks_uri, () => ({ issuer, jwks_uri }));
}

/** Returns an endpoint's URL with its configured query parameters. */
export function withParams(url: URL | string, params: Readonly<Record<string, string>>): URL {
  const full = new URL(url);
  for (const [name, value] of Object.entries(params)) full.searchParams.set(name, value);
  return full;
}
