import type { JWKS, JWKSCacheInput } from 'oauth4webapi';
import { chain } from '../../chain.ts';
import { limits } from '../../config/defaults.ts';
import { fromBase64Url } from '../../crypto/decoding.ts';
import { engine } from '../../crypto/engine.ts';
import { JWS_ALGORITHMS, type JwsAlgorithm, type PublicJwk, type Verify } from '../../crypto/jws.ts';
import type { Awaitable } from '../../types.ts';

type Jwk = JWKS['keys'][number];

/**
 * Has a key that we know already signed this token? Keys are known for an hour from when the library has fetched them.
 *
 * `true` is proof; `false` says no more than that the library has to look, which fetches the keys anew where that may help.
 *
 * @param token A compact JWS (RFC 7515 §7.1).
 * @param header Its protected header.
 * @param known What the library has fetched last.
 */
export function isSignedByKnown(
  token: string,
  { alg, kid }: { alg?: unknown; kid?: unknown },
  known: JWKSCacheInput,
): Awaitable<boolean> {
  const algorithm = JWS_ALGORITHMS.get(String(alg));
  if (!algorithm || !('jwks' in known) || Date.now() / 1000 - known.uat >= limits.metadataFresh) return false;
  const [jwk, ...others] = known.jwks.keys.filter((key) => isFor(key, String(alg), algorithm, kid));
  // With several it would be a guess.
  if (!jwk || others.length > 0) return false;
  const end = token.lastIndexOf('.');
  const signature = fromBase64Url(token.slice(end + 1));
  if (!signature) return false;
  return chain(verifierOf(jwk, algorithm), (verify) => verify?.(token.slice(0, end), signature) ?? false);
}

/** RFC 7517 §4: what a key says of its use must not speak against it. */
function isFor({ kty, crv, use, key_ops, ...key }: Jwk, alg: string, algorithm: JwsAlgorithm, kid: unknown): boolean {
  if (kty !== algorithm.kty || (algorithm.crv !== undefined && crv !== algorithm.crv)) return false;
  if ((kid !== undefined && key.kid !== kid) || (key.alg !== undefined && key.alg !== alg)) return false;
  return (use === undefined || use === 'sig') && (key_ops === undefined || key_ops.includes('verify'));
}

const verifiers = new WeakMap<Jwk, Map<JwsAlgorithm, Awaitable<Verify | undefined>>>();

function verifierOf(jwk: Jwk, algorithm: JwsAlgorithm): Awaitable<Verify | undefined> {
  const known = verifiers.get(jwk) ?? new Map<JwsAlgorithm, Awaitable<Verify | undefined>>();
  verifiers.set(jwk, known);
  if (known.has(algorithm)) return known.get(algorithm);
  // Nothing of its metadata: some of the rules for those differ from ours.
  const { kty, crv, n, e, x, y } = jwk;
  const made = engine().verifier(JSON.parse(JSON.stringify({ kty, crv, n, e, x, y })) as PublicJwk, algorithm);
  known.set(algorithm, made);
  // What fails once is tried again.
  if (made instanceof Promise) made.catch(() => known.delete(algorithm));
  return made;
}
