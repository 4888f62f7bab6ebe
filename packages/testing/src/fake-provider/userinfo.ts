import { OAuthFailure } from './failure.ts';
import type { Grant, GrantStore } from './grants.ts';
import type { FakeProviderSettings, FakeUser } from './options.ts';

/** The standard claims of each scope (OpenID Connect Core §5.4). */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

/**
 * Returns the claims of a user. With the scope `openid` these are the standard claims of the other scopes, and all
 * claims that are not standard. Without it (plain OAuth 2) these are all claims. Pure.
 */
export function claimsFor(user: FakeUser, scope: string): Record<string, unknown> {
  const granted = scope.split(' ');
  if (!granted.includes('openid')) return { ...user };
  const closed = Object.entries(SCOPES).flatMap(([name, claims]) => (granted.includes(name) ? [] : claims));
  return Object.fromEntries(Object.entries(user).filter(([claim]) => !closed.includes(claim)));
}

/**
 * Returns the grant of a userinfo request (OpenID Connect Core §5.3).
 *
 * @throws {OAuthFailure} 401 if the request does not have a valid Bearer token (RFC 6750 §3).
 */
export function grantOfUserinfoRequest(
  { now }: FakeProviderSettings,
  accessTokens: GrantStore,
  request: Request,
): Grant {
  const authorization = request.headers.get('authorization');
  if (authorization === null) throw challenge('invalid_request', 'no access token', 'Bearer');
  const [, token] = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  const lookup = accessTokens.find(token ?? '', now());
  if (lookup.found === null)
    throw challenge('invalid_token', `access token is ${lookup.reason}`, 'Bearer error="invalid_token"');
  return lookup.found;
}

function challenge(error: string, description: string, authenticate: string): OAuthFailure {
  return new OAuthFailure(error, description, { status: 401, headers: { 'www-authenticate': authenticate } });
}
