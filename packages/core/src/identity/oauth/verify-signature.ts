import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import { keyOptions } from './client.ts';

/**
 * Verifies the signature of the token that an answer brought, with the keys that the provider publishes.
 *
 * The library wants one key to come into question. Providers that publish several and leave the name out (OpenID Connect Core §10.1
 * demands it then) sign all the same: one of the keys has to fit.
 *
 * @throws {Error} of the library when no published key fits.
 */
export async function verifySignature(
  provider: OAuthProvider,
  server: oauth.AuthorizationServer,
  answer: Response,
): Promise<void> {
  const options = keyOptions(provider, server);
  try {
    await oauth.validateApplicationLevelSignature(server, answer, options);
  } catch (error) {
    for (const key of candidatesOf(error)) {
      // Its own server object: the library remembers keys by it.
      const only = { ...options, [oauth.jwksCache]: { jwks: { keys: [key] }, uat: Math.floor(Date.now() / 1000) } };
      if (await fits({ ...server }, answer, only)) return;
    }
    throw error;
  }
}

/** The keys between which the library could not choose; none for any other failure. */
function candidatesOf(error: unknown): oauth.JWK[] {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.KEY_SELECTION) return [];
  const { candidates } = error.cause as { candidates?: oauth.JWK[] };
  return candidates ?? [];
}

async function fits(
  server: oauth.AuthorizationServer,
  answer: Response,
  options: oauth.ValidateSignatureOptions,
): Promise<boolean> {
  try {
    await oauth.validateApplicationLevelSignature(server, answer, options);
    return true;
  } catch {
    // Another key may fit; when none does, the first failure is told.
    return false;
  }
}
