import type * as oauth from 'oauth4webapi';
import { chain } from '../../chain.ts';
import { limits } from '../../config/defaults.ts';
import type { Warning } from '../../config/logger.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { accessTokenHash } from '../../crypto/access-token-hash.ts';
import { fromBase64Url } from '../../crypto/decoding.ts';
import { equal } from '../../crypto/equal.ts';
import { verifyHs256 } from '../../crypto/hash.ts';
import { OAuthCallbackError } from '../../errors.ts';
import type { Awaitable } from '../../types.ts';
import { knownKeys } from './client.ts';
import { isSignedByKnown } from './known-keys.ts';
import type { CallbackServer } from './server.ts';
import { verifySignature } from './verify-signature.ts';

/** Claims of an ID token that was checked. */
export type IdToken = oauth.IDToken;

/** Members of the protected header that we look at (RFC 7515 §4.1). */
interface Header {
  readonly alg?: unknown;
  readonly typ?: unknown;
  readonly kid?: unknown;
}

/** What the check works with. */
export interface IdTokenInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  /** The answer that the library has processed; it knows the token. */
  readonly answer: Response;
  readonly tokens: oauth.TokenEndpointResponse;
  /** What the library has checked: `iss`, `aud`, `exp`, `nbf`, `nonce`, `auth_time`, `alg`. */
  readonly claims: oauth.IDToken;
  /** The code that the token came for. */
  readonly code: string;
}

/**
 * The rest of OpenID Connect Core §3.1.3.7: kind of token, `azp`, `iat`, `sub`, `at_hash`, `c_hash` (§3.3.2.11), and the
 * signature.
 *
 * @throws {OAuthCallbackError} naming the claim that does not hold.
 */
export function checkIdToken(input: IdTokenInput): Awaitable<IdToken> {
  const { claims, provider, context } = input;
  const refuse = (claim: string): never => {
    throw new OAuthCallbackError(`the ID token was refused: ${claim}`, { provider: provider.id, claim });
  };
  const header = headerOf(input.tokens.id_token ?? '');
  // RFC 8725 §3.11: a logout token or an access token of the same issuer is no ID token.
  if (header.typ !== undefined && String(header.typ).toUpperCase() !== 'JWT') refuse('typ');
  if (claims.events !== undefined) refuse('events');
  if (claims.sub === '') refuse('sub');
  if (claims.azp !== undefined && claims.azp !== provider.clientId) refuse('azp');
  if (claims.iat > context.now.getTime() / 1000 + limits.idTokenSkew) refuse('iat');
  const { at_hash, c_hash } = claims;
  return chain(isHashOf(at_hash, input.tokens.access_token, header.alg), (isTokens) => {
    if (!isTokens) refuse('at_hash');
    return chain(isHashOf(c_hash, input.code, header.alg), (isCodes) => {
      if (!isCodes) refuse('c_hash');
      return chain(checkSignature(input, header), () => claims);
    });
  });
}

/** One that is not told says nothing. */
function isHashOf(hash: unknown, value: string, alg: unknown): Awaitable<boolean> {
  if (hash === undefined) return true;
  return chain(
    accessTokenHash(value, String(alg)),
    (expected) => typeof hash === 'string' && expected !== undefined && equal(hash, expected),
  );
}

const NOT_VERIFIED: Warning = {
  code: 'id-token-not-verified',
  words: 'a provider publishes no keys, so TLS stands for the signature of its ID tokens.',
};

function checkSignature(input: IdTokenInput, header: Header): Awaitable<void> {
  const { provider, server, answer, context, tokens } = input;
  if (header.alg === 'HS256' && provider.client.id_token_signed_response_alg === 'HS256') return checkMac(input);
  if (server.hasKeys) {
    const proving = isSignedByKnown(tokens.id_token ?? '', header, knownKeys(provider, server.server));
    return chain(proving, (isProven) => (isProven ? undefined : verifySignature(provider, server.server, answer)));
  }
  // OpenID Connect Core §3.1.3.7 (6): straight from the token endpoint, TLS stands for the signature.
  return context.settings.logger.warn(NOT_VERIFIED, `provider: ${provider.id}`);
}

/** HS256 counts only where the configuration names it: a server's metadata could otherwise turn a public key into the secret. */
async function checkMac({ tokens, provider }: IdTokenInput): Promise<void> {
  const token = tokens.id_token ?? '';
  const dot = token.lastIndexOf('.');
  const signature = fromBase64Url(token.slice(dot + 1)) ?? new Uint8Array();
  // Anybody can sign with an empty secret.
  const { clientSecret } = provider;
  if (clientSecret && (await verifyHs256(clientSecret, token.slice(0, dot), signature))) return;
  throw new OAuthCallbackError('the ID token was refused: signature', { provider: provider.id, claim: 'signature' });
}

const decoder = new TextDecoder();

/** A provider writes the same header into its tokens for as long as it signs with the same key. No text of a header is a dot. */
const last: { text: string; header: Header } = { text: '.', header: {} };

/** The library has parsed it before, so it is JSON. */
function headerOf(token: string): Header {
  const text = token.slice(0, token.indexOf('.'));
  if (text !== last.text) {
    const header = JSON.parse(decoder.decode(fromBase64Url(text))) as Header;
    Object.assign(last, { text, header });
  }
  return last.header;
}
