import type { OAuthProvider } from '../../config/provider.ts';
import { clientIdOf } from './client.ts';
import { withParams } from './server.ts';

/** Parameters that carry the security of the flow: only the configuration and we ourselves set them. */
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
]);

/** What of an authorization request (RFC 6749 §4.1.1) is the same for everybody who is sent to a provider. */
export interface Start {
  /** The address up to the question mark. */
  readonly endpoint: string;
  readonly params: URLSearchParams;
  /** The same parameters as text. */
  readonly query: string;
  /** With its `#`; WeChat wants one. */
  readonly fragment: string;
}

const starts = new WeakMap<OAuthProvider, { readonly endpoint: string; readonly start: Start }>();

/**
 * The fixed part of a provider's authorization requests: our parameters, and over them the configured ones. Made once per endpoint.
 *
 * @param endpoint The authorization endpoint, with parameters of its own or without.
 * @throws {AuthError} when the provider has no client id.
 */
export function startAt(provider: OAuthProvider, endpoint: string): Start {
  const known = starts.get(provider);
  if (known?.endpoint === endpoint) return known.start;
  const start = newStart(provider, withParams(new URL(endpoint), provider.authorization.params));
  starts.set(provider, { endpoint, start });
  return start;
}

function newStart(provider: OAuthProvider, { origin, pathname, searchParams, hash }: URL): Start {
  const ours = { response_type: 'code', client_id: clientIdOf(provider), redirect_uri: provider.redirectUri };
  const params = new URLSearchParams(ours);
  for (const [name, value] of searchParams) params.set(name, value);
  return { endpoint: origin + pathname, params, query: params.toString(), fragment: hash };
}

/**
 * Where a visitor is sent.
 *
 * @param asked Query of the request for a sign-in; what is not protected is handed on.
 * @param drawn What was drawn for this visitor, without what was not; letters, digits, `-`, `_`, `.`, `~` only.
 */
export function addressOf(
  { endpoint, params, query, fragment }: Start,
  asked: Readonly<Record<string, string>>,
  drawn: Readonly<Record<string, string>>,
): string {
  const added = Object.entries(asked).filter(([name]) => !PROTECTED.has(name) && name !== 'callbackUrl');
  const names = Object.keys(drawn);
  if (added.length === 0 && !names.some((name) => params.has(name))) {
    return `${endpoint}?${query}${names.map((name) => `&${name}=${drawn[name]}`).join('')}${fragment}`;
  }
  const all = new URLSearchParams(params);
  for (const [name, value] of [...added, ...Object.entries(drawn)]) all.set(name, value);
  return `${endpoint}?${all}${fragment}`;
}
