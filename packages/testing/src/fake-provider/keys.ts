import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import type { SigningAlgorithm } from './options.ts';

/** A key pair of the provider. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** The signing keys of one provider, made at first use. */
export class KeyRing {
  readonly #algorithm: SigningAlgorithm;
  #count = 0;
  #keys: readonly Promise<SigningKey>[] = [];
  #unlisted: Promise<SigningKey> | undefined;

  constructor(algorithm: SigningAlgorithm) {
    this.#algorithm = algorithm;
  }

  /** Returns the key that signs. */
  current(): Promise<SigningKey> {
    const newest = this.#keys[0] ?? this.#make();
    if (!this.#keys.length) this.#keys = [newest];
    return newest;
  }

  /** Returns the published keys; none for HS256, where the client secret is the key. */
  async publicKeys(): Promise<JSONWebKeySet> {
    if (this.#algorithm === 'HS256') return { keys: [] };
    await this.current();
    const published = this.#unlisted ? [...this.#keys, this.#unlisted] : this.#keys;
    return { keys: (await Promise.all(published)).map(({ publicJwk }) => publicJwk) };
  }

  /** Signs with a new key from now on. The old keys stay published if they are kept. */
  async rotate(keepOld: boolean): Promise<SigningKey> {
    if (keepOld) await this.current();
    const next = this.#make();
    this.#keys = keepOld ? [next, ...this.#keys] : [next];
    return next;
  }

  /** Returns a pair with the `kid` and `alg` of the current key that is not published. */
  async impostor(): Promise<SigningKey> {
    const { kid } = await this.current();
    return makeKey(kid, asymmetric(this.#algorithm));
  }

  /** Returns a published pair of another algorithm, which the metadata does not list. */
  unlisted(): Promise<SigningKey> {
    this.#unlisted ??= makeKey('key-unlisted', this.#algorithm === 'RS256' ? 'ES256' : 'RS256');
    return this.#unlisted;
  }

  #make(): Promise<SigningKey> {
    this.#count += 1;
    return makeKey(`key-${this.#count}`, asymmetric(this.#algorithm));
  }
}

/** A provider with HS256 also needs a pair, for tokens that are not signed with the client secret. */
function asymmetric(algorithm: SigningAlgorithm): string {
  return algorithm === 'HS256' ? 'ES256' : algorithm;
}

async function makeKey(kid: string, alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
