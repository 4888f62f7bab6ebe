import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, OAuthCallbackError } from '../../errors.ts';
import type { Awaitable, Profile } from '../../types.ts';
import { clientOf, remoteOptions } from './client.ts';
import type { CallbackServer } from './server.ts';
import type { Exchange } from './token.ts';
import { verifySignature } from './verify-signature.ts';

/** What fetching the profile works with. */
export interface ProfileInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  readonly exchange: Exchange;
}

/**
 * What the provider tells about the visitor: the claims of the ID token, or the userinfo endpoint's answer.
 *
 * @throws {OAuthCallbackError} when the endpoint does not answer 2xx with a JSON object, or tells about somebody else.
 */
export function fetchProfile(input: ProfileInput): Awaitable<Profile> {
  const { provider, exchange } = input;
  return provider.type === 'oidc' && provider.idToken ? ({ ...exchange.idToken } as Profile) : told(input);
}

async function told(input: ProfileInput): Promise<Profile> {
  const { provider, exchange } = input;
  const profile = await userinfo(input);
  if (exchange.idToken && provider.type === 'oidc' && profile.sub !== exchange.idToken.sub) {
    throw new OAuthCallbackError('the userinfo endpoint told about another subject', { provider: provider.id });
  }
  return profile;
}

async function userinfo(input: ProfileInput): Promise<Profile> {
  const { provider, server, exchange } = input;
  if (provider.userinfo.request) {
    return objectOf(await provider.userinfo.request({ tokens: exchange.tokens, provider }), provider);
  }
  if (!server.server.userinfo_endpoint) {
    throw new AuthError(
      `provider "${provider.id}" has no userinfo endpoint. Set \`userinfo\`, or for OpenID Connect leave \`idToken\` on`,
    );
  }
  return provider.type === 'oidc' ? standardUserinfo(input) : plainUserinfo(input);
}

/** OpenID Connect Core §5.3; a signed answer is verified. */
async function standardUserinfo({ context, provider, server: { server }, exchange }: ProfileInput): Promise<Profile> {
  const client = clientOf(provider, context.now);
  const options = { ...remoteOptions(provider), headers: provider.userinfo.headers ?? {} };
  const asked = await oauth.userInfoRequest(server, client, exchange.tokens.access_token, options);
  const answer = await conformed(provider, asked);
  const signed = answer.headers.get('content-type')?.startsWith('application/jwt') === true;
  const subject = exchange.idToken?.sub ?? oauth.skipSubjectCheck;
  const profile = await oauth.processUserInfoResponse(server, client, subject, answer);
  if (signed) await verifySignature(provider, server, answer);
  return profile as Profile;
}

async function plainUserinfo({ provider, server, exchange }: ProfileInput): Promise<Profile> {
  const { method = 'GET', headers } = provider.userinfo;
  const asked = await provider.fetch(server.server.userinfo_endpoint as string, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${exchange.tokens.access_token}`,
      'user-agent': 'latchkey',
      ...headers,
    },
    redirect: 'manual',
  });
  const answer = await conformed(provider, asked);
  if (!answer.ok) {
    throw new OAuthCallbackError('the userinfo endpoint refused', { provider: provider.id, status: answer.status });
  }
  return objectOf(await answer.json().catch(() => undefined), provider);
}

async function conformed({ userinfo }: OAuthProvider, answer: Response): Promise<Response> {
  return (await userinfo.conform?.(answer.clone())) ?? answer;
}

function objectOf(value: unknown, provider: OAuthProvider): Profile {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Profile;
  throw new OAuthCallbackError('the userinfo endpoint did not answer with a JSON object', { provider: provider.id });
}
