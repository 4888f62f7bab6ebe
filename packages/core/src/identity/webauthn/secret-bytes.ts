import { hmacSha256 } from '../../crypto/hash.ts';

/**
 * 32 bytes that look random, and are the same each time for the same purpose and subject. Only who has the secret can tell
 * what they were made of.
 */
export async function secretBytes(
  secrets: readonly string[],
  purpose: string,
  ...subject: readonly string[]
): Promise<Uint8Array<ArrayBuffer>> {
  // As JSON: parts that were only joined could be cut in other places.
  const text = JSON.stringify(['latchkey webauthn', purpose, ...subject]);
  return new Uint8Array(await hmacSha256(secrets[0] ?? '', text));
}
