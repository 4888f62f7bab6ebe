import * as oauth from 'oauth4webapi';
import { demandedClasses } from '../../config/check-authentication.ts';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { equal, equalBytes, fromBase64Url, toHex } from '../../crypto/bytes.ts';
import { engine } from '../../crypto/engine.ts';
import { hmacSha256 } from '../../crypto/hash.ts';
import { because, OAuthCallbackError } from '../../errors.ts';
import type { Warning } from '../../log/logger.ts';
import { readObject } from '../../plain-object.ts';
import { configuredParams } from './authorization-params.ts';
import { keyOptions } from './remote.ts';
import { timeWords } from './remote-error.ts';
import { type CallbackServer, keySetOf, type Server } from './server.ts';

/** Claims of a checked ID token. */
export type IdToken = oauth.IDToken;

/** Input of {@link checkIdToken}. */
export interface IdTokenInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  /** The token response that the protocol library has processed; the library remembers its ID token. */
  readonly answer: Response;
  readonly tokens: oauth.TokenEndpointResponse;
  /** The library has checked `iss`, `aud`, `exp`, `nbf`, `nonce`, `auth_time`, and `alg`. */
  readonly claims: IdToken;
  /** The code that was exchanged for the token. */
  readonly code: string;
  /** Seconds since 1970 at which the sign-in started. */
  readonly startedAt: number | undefined;
}

/**
 * Checks the rest of OpenID Connect Core §3.1.3.7: the kind of token, `azp`, `iat`, `sub`, `auth_time`, `acr`,
 * `at_hash`, `c_hash` (§3.3.2.11), and the signature.
 *
 * @throws {OAuthCallbackError} with the `claim` that does not hold.
 */
export async function checkIdToken(input: IdTokenInput): Promise<void> {
  const { claims, provider, context, tokens, code } = input;
  const { alg, typ } = jwtPart(tokens.id_token ?? '', 'header') ?? {};
  // RFC 8725 §3.11: logout tokens and access tokens of the same issuer must not pass for ID tokens.
  if (typ !== undefined && String(typ).toUpperCase() !== 'JWT') refuse(provider, 'typ');
  if (claims.events !== undefined) refuse(provider, 'events');
  if (claims.sub === '') refuse(provider, 'sub');
  if (claims.azp !== undefined && claims.azp !== provider.clientId) refuse(provider, 'azp');
  const ahead = claims.iat - context.now.getTime() / 1000;
  if (ahead > limits.idTokenSkew) {
    const words = timeWords('iat', ahead, limits.idTokenSkew, { answer: input.answer, now: context.now });
    const facts = { provider: provider.id, claim: 'iat' };
    throw because('clock', new OAuthCallbackError(`provider "${provider.id}": ${words}`, facts));
  }
  const asked = configuredParams(provider);
  checkAuthTime(input, asked.get('max_age'));
  checkAcr(input, asked.get('acr_values'));
  if (!(await isHashOf(claims.at_hash, tokens.access_token, alg))) refuse(provider, 'at_hash');
  if (!(await isHashOf(claims.c_hash, code, alg))) refuse(provider, 'c_hash');
  await checkSignature(input, alg);
}

function refuse({ id }: OAuthProvider, claim: string, words = `the ID token was refused: ${claim}`): never {
  throw new OAuthCallbackError(words, { provider: id, claim });
}

/**
 * Where the owner configured `max_age`, the provider must say when the visitor has authenticated (OpenID Connect Core
 * §3.1.2.1). The limit is for the start of the sign-in: the visitor may need time at the provider.
 */
function checkAuthTime({ provider, claims, startedAt, context }: IdTokenInput, maxAge: string | null): void {
  if (maxAge === null || !/^\d+$/.test(maxAge)) return;
  const start = startedAt ?? context.now.getTime() / 1000;
  const { auth_time } = claims;
  if (auth_time !== undefined && auth_time + Number(maxAge) + limits.idTokenSkew >= start) return;
  const fact = auth_time === undefined ? 'has no auth_time' : `has the auth_time ${auth_time}, which is too old`;
  throw new OAuthCallbackError(
    `the ID token ${fact}, although \`max_age\` is ${maxAge}. Use a provider that supports \`max_age\`, or leave it out`,
    { provider: provider.id, claim: 'auth_time' },
  );
}

/** Where the owner configured `acr_values`, one of them must be the class of the visitor's authentication. */
function checkAcr({ provider, claims: { acr } }: IdTokenInput, acrValues: string | null): void {
  const classes = demandedClasses(acrValues);
  if (classes.length === 0 || classes.some((value) => value === acr)) return;
  const fact = acr === undefined ? 'has no acr' : `has the acr ${JSON.stringify(acr)}`;
  throw new OAuthCallbackError(
    `the ID token ${fact}, but \`acr_values\` is "${classes.join(' ')}". Add every class that you accept, or leave \`acr_values\` out`,
    { provider: provider.id, claim: 'acr' },
  );
}

/** Returns a part of a signed token (RFC 7519 §3), not verified; `undefined` if it cannot be read. */
export function jwtPart(token: string, part: 'header' | 'claims'): Record<string, unknown> | undefined {
  const bytes = fromBase64Url(token.split('.')[part === 'header' ? 0 : 1] ?? '');
  return bytes && readObject(new TextDecoder().decode(bytes));
}

/** Both hashes are optional claims. */
async function isHashOf(hash: unknown, value: string, alg: unknown): Promise<boolean> {
  if (hash === undefined) return true;
  const given = typeof hash === 'string' ? fromBase64Url(hash) : undefined;
  const expected = await leftHalfOfHash(value, String(alg));
  return given !== undefined && expected !== undefined && equal(toHex(given), expected);
}

const HASHES: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  '256': 'sha256',
  '384': 'sha384',
  '512': 'sha512',
};

/**
 * Returns the left half of the hash of an access token or a code (OpenID Connect Core §3.1.3.6), in hexadecimal. The
 * hash function belongs to the ID token's signature algorithm. For Ed25519 that is SHA-512.
 *
 * @param alg The `alg` of the ID token's header.
 * @returns undefined if the hash function of the algorithm is not known.
 */
async function leftHalfOfHash(value: string, alg: string): Promise<string | undefined> {
  const hash = alg === 'EdDSA' || alg === 'Ed25519' ? 'sha512' : HASHES[alg.slice(-3)];
  if (hash === undefined) return undefined;
  const digest = await (await engine()).digest(hash, value, 'hex');
  return digest.slice(0, digest.length / 2);
}

const NOT_VERIFIED: Warning = {
  code: 'id-token-not-verified',
  words: 'a provider publishes no keys, so its ID tokens are trusted because of TLS alone.',
};

async function checkSignature(input: IdTokenInput, alg: unknown): Promise<void> {
  const { provider, server, answer, context } = input;
  if (alg === 'HS256' && provider.client.id_token_signed_response_alg === 'HS256') return checkMac(input);
  if (server.hasKeys) return verifySignature(provider, server.server, answer);
  // OpenID Connect Core §3.1.3.7 (6): TLS may replace the signature of a token from the token endpoint.
  context.settings.logger.warn(NOT_VERIFIED, `provider: ${provider.id}`);
}

/** HS256 needs to be configured. If metadata could ask for it, a public key could be used as the secret. */
async function checkMac({ tokens, provider }: IdTokenInput): Promise<void> {
  if (!(await isMacOfClient(provider, tokens.id_token ?? ''))) refuse(provider, 'signature');
}

/** Returns whether the client's secret has signed a token with HS256 (RFC 7518 §3.2). */
export async function isMacOfClient({ clientSecret }: OAuthProvider, token: string): Promise<boolean> {
  const dot = token.lastIndexOf('.');
  const signature = fromBase64Url(token.slice(dot + 1)) ?? new Uint8Array();
  // Anyone can sign with an empty secret.
  if (!clientSecret) return false;
  return equalBytes(await hmacSha256(clientSecret, token.slice(0, dot)), signature);
}

/**
 * Verifies the signature of the token in an answer with the keys that the provider publishes.
 *
 * The protocol library demands that exactly one key fits the token's header. Some providers publish several keys and
 * leave `kid` out, although OpenID Connect Core §10.1 demands it. One of these keys has to verify the signature.
 *
 * @param answer The answer, which the protocol library has processed.
 * @throws {Error} of the protocol library if no key verifies the signature.
 */
export async function verifySignature(provider: OAuthProvider, server: Server, answer: Response): Promise<void> {
  const options = keyOptions(provider);
  try {
    await oauth.validateApplicationLevelSignature(keySetOf(provider, server), answer, options);
  } catch (error) {
    for (const key of candidatesOf(error)) if (await isSignedBy(key, server, answer)) return;
    throw error;
  }
}

/** The keys between which the library could not choose. Empty for other failures. */
function candidatesOf(error: unknown): oauth.JWK[] {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.KEY_SELECTION) return [];
  const { candidates } = error.cause as { candidates?: oauth.JWK[] };
  return candidates ?? [];
}

async function isSignedBy(key: oauth.JWK, { issuer, jwks_uri = '' }: Server, answer: Response): Promise<boolean> {
  const keys = { jwks: { keys: [key] }, uat: Math.floor(Date.now() / 1000) };
  try {
    // A new server object, because the library remembers keys by it.
    await oauth.validateApplicationLevelSignature({ issuer, jwks_uri }, answer, { [oauth.jwksCache]: keys });
    return true;
  } catch {
    return false;
  }
}
