import type { OAuthProvider } from '../../config/provider.ts';
import { clientIdOf } from './client.ts';
import { withParams } from './server.ts';

// Who sets a parameter of an authorization request: the owner, this library, or the request for a sign-in.

/** Returns the parameters that the owner configured: those in the endpoint's address, and `params`, which win. */
export function configuredParams({ authorization: { url, params } }: OAuthProvider): URLSearchParams {
  return url ? withParams(url, params).searchParams : new URLSearchParams(params);
}

/**
 * Returns the library's parameters, and those of the endpoint's address, which win. A parameter that occurs more than
 * once in the address, such as `resource` (RFC 8707 §2), stays so.
 *
 * @param endpoint The endpoint's address, with the configured parameters.
 */
export function ownParams(provider: OAuthProvider, { searchParams }: URL): URLSearchParams {
  const params = new URLSearchParams({
    response_type: 'code',
    client_id: clientIdOf(provider),
    redirect_uri: provider.redirectUri,
  });
  for (const name of new Set(searchParams.keys())) {
    const [first = '', ...others] = searchParams.getAll(name);
    params.set(name, first);
    for (const value of others) params.append(name, value);
  }
  return params;
}

/** Parameters that a request may replace although the owner configured them. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  'scope',
  'prompt',
  'login_hint',
  'ui_locales',
  'display',
  'screen_hint',
]);

/** Parameters that a request can never set: they decide who signs in, how, and for whom the tokens are. */
const PROTECTED: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'request',
  'request_uri',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'claims',
  'acr_values',
  'max_age',
  'id_token_hint',
  'authorization_details',
  'resource',
  'audience',
  'dpop_jkt',
  // Vendors' names of the client.
  'appid',
  'app_id',
  'clientid',
  'client_key',
]);

/** The parameters of a request, sorted. */
export interface RequestedParams {
  /** The parameters that were added. */
  readonly added: Readonly<Record<string, string>>;
  /** Names of those that were left out. */
  readonly leftOut: readonly string[];
}

/**
 * Adds the parameters of a request for a sign-in. They replace only what {@link REPLACEABLE} lists.
 *
 * @param params The parameters of the library and of the owner.
 * @param query The request's query, without what is meant for this library.
 */
export function addRequested(params: URLSearchParams, query: Readonly<Record<string, string>>): RequestedParams {
  const configured = new Set([...params.keys()].map(fold));
  const added = Object.fromEntries(Object.entries(query).filter(([name]) => mayRequest(name, configured)));
  for (const [name, value] of Object.entries(added)) params.set(name, value);
  return { added, leftOut: Object.keys(query).filter((name) => !Object.hasOwn(added, name)) };
}

/** RFC 6749 §8.2: the characters of a parameter's name. Other names can mean a list or a member to a server. */
const NAME = /^[\w.-]+$/;

function mayRequest(name: string, configured: ReadonlySet<string>): boolean {
  if (REPLACEABLE.has(name)) return true;
  return NAME.test(name) && !PROTECTED.has(fold(name)) && !configured.has(fold(name));
}

/** Some servers ignore case in names, and some read `acr.values` as `acr_values`. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll('.', '_');
}
