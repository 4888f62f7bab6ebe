import { toBase64Url } from '../../crypto/bytes.ts';
import { hmacSha256 } from '../../crypto/hash.ts';
import type { CredentialDescriptor } from './library.ts';

type Shape = readonly [bytes: number, transports: readonly string[]];

/** Id lengths and transports of real passkeys, the most common first. */
const SHAPES: readonly [Shape, ...Shape[]] = [
  [20, ['hybrid', 'internal']],
  [32, ['hybrid', 'internal']],
  [16, ['hybrid', 'internal']],
  [32, ['internal']],
];

/** Passkeys that the options of a visitor who is signed out name at most, real or not. */
export const MOST_DECOYS = 2;

/**
 * Returns passkeys that do not exist, for a name without passkeys. Otherwise the answer would reveal which addresses
 * have an account. The same name gets the same decoys each time (WebAuthn §14.6.2).
 *
 * @param name The email address or user name in the request.
 */
export async function decoysFor(
  secrets: readonly string[],
  provider: string,
  name: string,
): Promise<CredentialDescriptor[]> {
  const [count = 0, kind = 0] = await secretBytes(secrets, 'decoys', provider, name);
  // One name in four gets two.
  const indexes = [...Array(count % 4 === 0 ? MOST_DECOYS : 1).keys()];
  return Promise.all(
    indexes.map(async (index) => {
      const id = await secretBytes(secrets, 'decoy', provider, name, String(index));
      const [bytes, transports] = SHAPES[(kind + index) % SHAPES.length] ?? SHAPES[0];
      return { id: toBase64Url(id.subarray(0, bytes)), transports: [...transports] };
    }),
  );
}

/**
 * Derives 32 bytes from the oldest secret, a purpose, and a subject. Without the secret they look like random bytes. A
 * new secret does not change them while the oldest is still listed: otherwise the decoys would change and real passkeys
 * would not.
 *
 * @param secrets Newest first.
 */
export async function secretBytes(
  secrets: readonly string[],
  purpose: string,
  ...subject: readonly string[]
): Promise<Uint8Array<ArrayBuffer>> {
  // JSON, because different lists of parts could be the same text when joined.
  const text = JSON.stringify(['latchkey webauthn', purpose, ...subject]);
  return new Uint8Array(await hmacSha256(secrets.at(-1) ?? '', text));
}
