import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, because, errorOf, OAuthCallbackError } from '../../errors.ts';
import { redact } from '../../log/redact.ts';
import type { Profile } from '../../types/user.ts';
import { clientOf } from './client.ts';
import { isDenied } from './email-status.ts';
import { verifySignature } from './id-token.ts';
import { remoteOptions } from './remote.ts';
import type { CallbackServer } from './server.ts';
import type { Exchange } from './token.ts';

/** Input of {@link fetchProfile}. */
export interface ProfileInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  readonly exchange: Exchange;
}

/**
 * Returns the profile that the provider has of the user: the claims of the ID token, or the userinfo endpoint's answer.
 * If the ID token lacks claims of the granted scope, the claims of the endpoint are added.
 *
 * @throws {OAuthCallbackError} if the endpoint does not answer 2xx with a JSON object, or describes another subject.
 */
export async function fetchProfile(input: ProfileInput): Promise<Profile> {
  const { provider, exchange } = input;
  if (provider.type === 'oidc' && provider.idToken) return completeClaims(input, { ...exchange.idToken });
  const profile = await userinfo(input);
  if (exchange.idToken && provider.type === 'oidc' && profile.sub !== exchange.idToken.sub) {
    const words = 'the userinfo endpoint describes another subject than the ID token';
    throw because('userinfo-refused', new OAuthCallbackError(words, { provider: provider.id }));
  }
  return isDenied(exchange.idToken?.['email_verified']) ? { ...profile, email_verified: false } : profile;
}

/** Claims that stand for a scope (OpenID Connect Core §5.4): the scope is covered if the ID token has one of them. */
const CLAIMS_OF_SCOPES: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'nickname', 'preferred_username', 'given_name', 'family_name'],
  email: ['email'],
};

/**
 * Adds the claims of the userinfo endpoint if the ID token lacks those of a granted scope. With an access token, a
 * provider may return them there only (OpenID Connect Core §5.4). The ID token is enough to sign in, so a failure of
 * the endpoint changes nothing.
 */
async function completeClaims(input: ProfileInput, claims: Profile): Promise<Profile> {
  const { context, provider, server } = input;
  if (!server.server.userinfo_endpoint || !lacksGrantedClaims(input, claims)) return claims;
  try {
    const told = await standardUserinfo(input);
    // Without an address, the ID token can only deny that the address is verified.
    const { email_verified, ...rest } = claims;
    const isUnverified = isDenied(told.email_verified) || isDenied(email_verified);
    const verified = isUnverified ? false : rest.email ? email_verified : told.email_verified;
    return { ...told, ...rest, email_verified: verified };
  } catch (error) {
    context.settings.logger.debug('oauth', 'userinfo_failed', () =>
      redact({ provider: provider.id, error: errorOf(error) }),
    );
    return claims;
  }
}

function lacksGrantedClaims({ provider, exchange }: ProfileInput, claims: Profile): boolean {
  const { url, params } = provider.authorization;
  const granted = exchange.tokens.scope ?? params['scope'] ?? url?.searchParams.get('scope') ?? '';
  const names = granted.split(' ').map((scope) => CLAIMS_OF_SCOPES[scope]);
  return names.some((some) => some?.every((name) => !claims[name]));
}

async function userinfo(input: ProfileInput): Promise<Profile> {
  const { provider, server, exchange } = input;
  if (provider.userinfo.request)
    return objectOf(await provider.userinfo.request({ tokens: exchange.tokens, provider }), provider);
  const endpoint = server.server.userinfo_endpoint;
  if (!endpoint) {
    throw new AuthError(
      `provider "${provider.id}" has no userinfo endpoint. Set \`userinfo\`, or for OpenID Connect leave \`idToken\` on`,
    );
  }
  return provider.type === 'oidc' ? standardUserinfo(input) : plainUserinfo(input, endpoint);
}

/** OpenID Connect Core §5.3. If the answer is signed, the signature is verified. */
async function standardUserinfo({ context, provider, server: { server }, exchange }: ProfileInput): Promise<Profile> {
  const client = clientOf(provider, context.now);
  const options = { ...remoteOptions(provider), headers: provider.userinfo.headers ?? {} };
  const received = await oauth.userInfoRequest(server, client, exchange.tokens.access_token, options);
  const answer = await conformed(provider, received);
  const isSigned = answer.headers.get('content-type')?.startsWith('application/jwt') === true;
  const subject = exchange.idToken?.sub ?? oauth.skipSubjectCheck;
  const profile = await oauth.processUserInfoResponse(server, client, subject, answer);
  if (isSigned) await verifySignature(provider, server, answer);
  return { ...profile };
}

async function plainUserinfo({ provider, exchange }: ProfileInput, endpoint: string): Promise<Profile> {
  const { method = 'GET', headers } = provider.userinfo;
  const received = await provider.fetch(endpoint, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${exchange.tokens.access_token}`,
      'user-agent': 'latchkey',
      ...headers,
    },
    redirect: 'manual',
  });
  const answer = await conformed(provider, received);
  if (!answer.ok) {
    const facts = { provider: provider.id, status: answer.status };
    throw because('userinfo-refused', new OAuthCallbackError('the userinfo endpoint answered with an error', facts));
  }
  return objectOf(await answer.json().catch(() => undefined), provider);
}

async function conformed({ userinfo }: OAuthProvider, answer: Response): Promise<Response> {
  return (await userinfo.conform?.(answer.clone())) ?? answer;
}

function objectOf(value: unknown, { id }: OAuthProvider): Profile {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  const words = 'the userinfo endpoint must answer with a JSON object';
  throw because('userinfo-refused', new OAuthCallbackError(words, { provider: id }));
}
