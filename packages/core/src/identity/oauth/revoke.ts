import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import { errorOf } from '../../errors.ts';
import type { Revocation } from '../../types/tokens.ts';
import { isAcceptableUrl } from '../../wire/bounded-fetch.ts';
import { clientAuth, clientOf } from './client.ts';
import { remoteOptions } from './remote.ts';
import { type RemoteFacts, remoteFacts } from './remote-error.ts';
import { discover, type Server } from './server.ts';

/** The tokens to revoke. */
export interface RevokedTokenSet {
  readonly refreshToken?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** The result, and why the revocation failed. */
export interface RevocationResult {
  readonly result: Revocation;
  readonly failure?: RemoteFacts | undefined;
}

/** Revokes tokens at the provider (RFC 7009): the refresh token, then the access token. Never rejects. */
export async function revokeTokens(provider: OAuthProvider, tokens: RevokedTokenSet): Promise<RevocationResult> {
  const kinds = [
    ['refresh_token', tokens.refreshToken],
    ['access_token', tokens.accessToken],
  ] as const;
  try {
    const revoke = await revoker(provider);
    if (!revoke) return { result: 'unsupported' };
    for (const [kind, token] of kinds) if (token !== undefined) await revoke(token, kind);
    return { result: 'revoked' };
  } catch (error) {
    return { result: 'failed', failure: remoteFacts(errorOf(error)) };
  }
}

type Revoke = (token: string, kind: 'refresh_token' | 'access_token') => Promise<void>;

async function revoker(provider: OAuthProvider): Promise<Revoke | undefined> {
  const { revocation } = provider;
  if (typeof revocation === 'function') {
    return async (token, kind) => void (await revocation({ token, kind, provider }));
  }
  const server = await revocationServer(provider, revocation);
  return server && ((token, kind) => sendRevocation(provider, server, token, kind));
}

async function revocationServer(provider: OAuthProvider, configured: URL | undefined): Promise<Server | undefined> {
  const { issuer, allowInsecure } = provider;
  const metadata = configured ? undefined : await metadataIfAny(provider);
  const endpoint = configured?.href ?? metadata?.revocation_endpoint;
  if (endpoint === undefined) return undefined;
  if (!isAcceptableUrl(endpoint, allowInsecure)) throw new Error('the revocation endpoint must be an https URL');
  return { issuer: metadata?.issuer ?? issuer ?? endpoint, revocation_endpoint: endpoint };
}

/** Providers of type `oauth` may have no metadata: no issuer, or one without metadata, such as GitHub. */
async function metadataIfAny(provider: OAuthProvider): Promise<Server | undefined> {
  try {
    return await discover(provider);
  } catch (error) {
    if (provider.type === 'oauth') return undefined;
    throw error;
  }
}

async function sendRevocation(
  provider: OAuthProvider,
  server: Server,
  token: string,
  kind: 'refresh_token' | 'access_token',
): Promise<void> {
  const client = clientOf(provider, new Date());
  const answer = await oauth.revocationRequest(server, client, clientAuth(provider), token, {
    ...remoteOptions(provider),
    additionalParameters: { token_type_hint: kind },
  });
  const text = await answer.clone().text();
  // Some providers report a token that they do not know as an error, although RFC 7009 §2.2 demands 200.
  if (answer.status === 400 && /"invalid_token"/.test(text)) return;
  await oauth.processRevocationResponse(answer);
}
