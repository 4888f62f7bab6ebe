import { toBase64Url } from '../../crypto/encoding.ts';
import type { CredentialDescriptor } from './library.ts';
import { secretBytes } from './secret-bytes.ts';

/** What passkeys out there look like: bytes of the id, and how they are reached. The first are the most common. */
const LOOKS: readonly (readonly [bytes: number, transports: readonly string[]])[] = [
  [20, ['hybrid', 'internal']],
  [32, ['hybrid', 'internal']],
  [16, ['hybrid', 'internal']],
  [32, ['internal']],
];

/**
 * Passkeys that nobody has, for somebody who has none: else the answer would tell which addresses have an account. The same
 * name gets the same ones each time (WebAuthn §14.6.2).
 *
 * @param name What was asked for: the address.
 */
export async function decoysFor(
  secrets: readonly string[],
  provider: string,
  name: string,
): Promise<CredentialDescriptor[]> {
  const [count = 0, kind = 0] = await secretBytes(secrets, 'decoys', provider, name);
  // One in four people has two.
  const indexes = count % 4 === 0 ? [0, 1] : [0];
  return Promise.all(
    indexes.map(async (index) => {
      const id = await secretBytes(secrets, 'decoy', provider, name, String(index));
      const [bytes, transports] = LOOKS[(kind + index) % LOOKS.length] as (typeof LOOKS)[number];
      return { id: toBase64Url(id.subarray(0, bytes)), transports: [...transports] };
    }),
  );
}
