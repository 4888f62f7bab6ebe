import { isPromise } from '../chain.ts';
import type { Awaitable } from '../types.ts';

/** Values that a {@link KeyCache} keeps. */
export const KEYS_KEPT = 256;

/** A bounded memo salt → secret → value; the oldest goes first. Nested: to join the texts costs ten times a look-up. */
export class KeyCache<T> {
  readonly #salts = new Map<string, Map<string, Awaitable<T>>>();
  readonly #places = new Set<readonly [salt: string, secret: string]>();

  /** Number of values kept, at most {@link KEYS_KEPT}. */
  get size(): number {
    return this.#places.size;
  }

  get(salt: string, secret: string): Awaitable<T> | undefined {
    return this.#salts.get(salt)?.get(secret);
  }

  /** The value of the first of these secrets whose value is there, no promise, and fits. */
  find(salt: string, secrets: readonly string[], fits: (value: T) => boolean): T | undefined {
    const bySecret = this.#salts.get(salt);
    if (!bySecret) return undefined;
    for (const secret of secrets) {
      const value = bySecret.get(secret);
      if (value !== undefined && !isPromise(value) && fits(value)) return value;
    }
    return undefined;
  }

  /** Keeps a value that is not there yet, and returns it. Equal calls join a promise; one that fails is forgotten. */
  add(salt: string, secret: string, value: Awaitable<T>): Awaitable<T> {
    const place = [salt, secret] as const;
    this.#put(place, value);
    this.#places.add(place);
    for (const oldest of this.#places) {
      if (this.#places.size <= KEYS_KEPT) break;
      this.#remove(oldest);
    }
    if (isPromise(value)) {
      value.then(
        (made) => this.#places.has(place) && this.#put(place, made),
        () => this.#remove(place),
      );
    }
    return value;
  }

  #put([salt, secret]: readonly [string, string], value: Awaitable<T>): void {
    const secrets = this.#salts.get(salt) ?? new Map<string, Awaitable<T>>();
    secrets.set(secret, value);
    this.#salts.set(salt, secrets);
  }

  #remove(place: readonly [string, string]): void {
    const [salt, secret] = place;
    if (!this.#places.delete(place)) return;
    const secrets = this.#salts.get(salt);
    secrets?.delete(secret);
    if (secrets?.size === 0) this.#salts.delete(salt);
  }
}
