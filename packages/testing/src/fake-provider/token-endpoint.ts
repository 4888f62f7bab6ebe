import { base64url } from 'jose';
import { authenticateClient } from './client-authentication.ts';
import { noStore, OAuthFailure } from './failure.ts';
import type { Grant, GrantStore } from './grants.ts';
import type { KeyRing } from './keys.ts';
import { type Change, changed } from './misbehavior.ts';
import type { FakeClient, FakeProviderSettings } from './options.ts';
import { type IdTokenOverride, makeIdToken } from './signed-tokens.ts';

/** The state of the token endpoint. */
export interface TokenEndpoint {
  readonly settings: FakeProviderSettings;
  readonly keys: KeyRing;
  readonly codes: GrantStore;
  readonly accessTokens: GrantStore;
  readonly refreshTokens: GrantStore;
  readonly spentAssertions: Set<string>;
}

/** Changes to the responses. */
interface TokenOverrides {
  readonly idToken?: IdTokenOverride;
  readonly token?: Change;
}

/** Lifetime of a refresh token in milliseconds: ten years, longer than any test. */
const REFRESH_LIFETIME = 10 * 365 * 24 * 60 * 60 * 1000;

/**
 * Answers a token request: codes and refresh tokens (RFC 6749 §4.1.3, §6), PKCE (RFC 7636 §4.6), client authentication.
 *
 * @throws {OAuthFailure} with an error code of RFC 6749 §5.2.
 */
export async function answerTokenRequest(
  endpoint: TokenEndpoint,
  request: Request,
  body: string,
  overrides: TokenOverrides,
): Promise<Response> {
  const form = readForm(request, body);
  const client = await authenticateClient(endpoint.settings, request.headers, form, endpoint.spentAssertions);
  const grant = await grantFor(endpoint, client, form);
  const answer = await tokensFor(endpoint, client, grant, overrides.idToken ?? {});
  return noStore(changed(answer, overrides.token));
}

function readForm(request: Request, body: string): URLSearchParams {
  if (request.method !== 'POST')
    throw new OAuthFailure('invalid_request', 'token requests are POST', { status: 405, headers: { allow: 'POST' } });
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthFailure('invalid_request', `content-type is ${type || 'missing'}`);
  const form = new URLSearchParams(body);
  const repeated = [...form.keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (repeated !== undefined) throw new OAuthFailure('invalid_request', `parameter given twice: ${repeated}`);
  return form;
}

async function grantFor(endpoint: TokenEndpoint, client: FakeClient, form: URLSearchParams): Promise<Grant> {
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(endpoint, client, form);
    case 'refresh_token':
      return redeemRefreshToken(endpoint, client, form);
    default:
      throw new OAuthFailure('unsupported_grant_type', `grant_type is ${form.get('grant_type')}`);
  }
}

async function redeemCode(
  { settings, codes, accessTokens, refreshTokens }: TokenEndpoint,
  client: FakeClient,
  form: URLSearchParams,
): Promise<Grant> {
  const code = form.get('code') ?? '';
  const lookup = codes.find(code, settings.now(), { spend: true });
  if (lookup.found === null) {
    // A code that is used twice may be stolen: its tokens are revoked (RFC 6749 §4.1.2).
    const stolen = lookup.reason === 'spent' ? codes.grantOf(code) : undefined;
    if (stolen) for (const store of [accessTokens, refreshTokens]) store.revoke(stolen);
    throw new OAuthFailure('invalid_grant', `code is ${lookup.reason}`);
  }
  const grant = lookup.found;
  if (grant.clientId !== client.client_id) throw new OAuthFailure('invalid_grant', 'code belongs to another client');
  if (grant.redirectUri !== form.get('redirect_uri')) {
    throw new OAuthFailure(
      'invalid_grant',
      `redirect_uri differs: ${form.get('redirect_uri')} instead of ${grant.redirectUri}`,
    );
  }
  await checkVerifier(grant, form.get('code_verifier'));
  return grant;
}

function redeemRefreshToken(
  { settings, refreshTokens }: TokenEndpoint,
  client: FakeClient,
  form: URLSearchParams,
): Grant {
  const lookup = refreshTokens.find(form.get('refresh_token') ?? '', settings.now(), { spend: true });
  if (lookup.found === null) throw new OAuthFailure('invalid_grant', `refresh token is ${lookup.reason}`);
  if (lookup.found.clientId !== client.client_id)
    throw new OAuthFailure('invalid_grant', 'refresh token belongs to another client');
  return lookup.found;
}

/** RFC 7636 §4.6. Also refuses a verifier without a challenge, to prevent a PKCE downgrade (RFC 9700 §4.8.2). */
async function checkVerifier({ challenge }: Grant, verifier: string | null): Promise<void> {
  if (!challenge) {
    if (verifier !== null) throw new OAuthFailure('invalid_grant', 'code_verifier without a code_challenge');
    return;
  }
  if (verifier === null) throw new OAuthFailure('invalid_grant', 'code_verifier is missing');
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier))
    throw new OAuthFailure('invalid_grant', 'code_verifier is malformed');
  const derived = challenge.method === 'S256' ? await sha256(verifier) : verifier;
  if (derived !== challenge.value)
    throw new OAuthFailure('invalid_grant', 'code_verifier does not fit the code_challenge');
}

async function tokensFor(
  endpoint: TokenEndpoint,
  client: FakeClient,
  grant: Grant,
  override: IdTokenOverride,
): Promise<Record<string, unknown>> {
  const { settings, keys } = endpoint;
  const now = settings.now().getTime();
  const accessToken = endpoint.accessTokens.issue('at', grant, new Date(now + settings.accessTokenLifetime * 1000));
  const refreshToken = settings.refreshTokens
    ? endpoint.refreshTokens.issue('rt', grant, new Date(now + REFRESH_LIFETIME))
    : undefined;
  const wantsIdToken = settings.oidc && grant.scope.split(' ').includes('openid');
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: settings.accessTokenLifetime,
    scope: grant.scope,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(wantsIdToken ? { id_token: await makeIdToken(settings, keys, { grant, client, accessToken, override }) } : {}),
  };
}

async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}
