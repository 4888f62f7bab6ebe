import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** A key pair of the vendors; made once, all of them share it. */
interface Pair {
  privateKey: CryptoKey;
  jwk: JWK;
}

const pairs = new Map<string, Promise<Pair>>();

async function makePair(alg: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid: `key-${alg}`, use: 'sig' } };
}

function pairOf(name: string, alg: string): Promise<Pair> {
  const pair = pairs.get(name) ?? makePair(alg);
  pairs.set(name, pair);
  return pair;
}

/** The key set that a vendor publishes. */
export async function publishedKeys(alg: string): Promise<{ keys: JWK[] }> {
  return alg.startsWith('HS') ? { keys: [] } : { keys: [(await pairOf(alg, alg)).jwk] };
}

/** How an ID token is signed. */
export interface Signature {
  alg: string;
  /** For HS256. */
  secret: string;
  /** Signs with an unpublished key. */
  forged?: boolean | undefined;
}

/** A signed ID token with these claims. */
export async function signedToken(
  claims: Record<string, unknown>,
  { alg, secret, forged }: Signature,
): Promise<string> {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg, kid: `key-${alg}`, typ: 'JWT' });
  if (alg.startsWith('HS')) return jwt.sign(new TextEncoder().encode(forged ? `not ${secret}` : secret));
  return jwt.sign((await pairOf(forged ? `forged ${alg}` : alg, alg)).privateKey);
}
