import { toBase64Url } from '../../crypto/bytes.ts';
import { hmacSha256 } from '../../crypto/hash.ts';
import type { CredentialDescriptor } from './library.ts';

/** How a passkey looks to a client. */
interface Shape {
  /** How many of sixteen passkeys look so: an estimate, because vendors do not publish their shares. */
  readonly weight: number;
  /** Length of the id. */
  readonly bytes: number;
  /** In alphabetical order, as browsers return them (WebAuthn §5.2.1.1). */
  readonly transports: readonly string[];
}

/** Passkeys of common authenticators. One of another shape is not a decoy: docs/passkeys.md says so. */
const SHAPES: readonly Shape[] = [
  // iCloud Keychain
  { weight: 5, bytes: 20, transports: ['hybrid', 'internal'] },
  // Google Password Manager, and other password managers
  { weight: 5, bytes: 16, transports: ['hybrid', 'internal'] },
  // Windows Hello, and Chrome's profiles
  { weight: 3, bytes: 32, transports: ['internal'] },
  { weight: 1, bytes: 32, transports: ['hybrid', 'internal'] },
  // Security keys
  { weight: 1, bytes: 48, transports: ['nfc', 'usb'] },
  { weight: 1, bytes: 64, transports: ['nfc', 'usb'] },
];

/** Each shape as often as its weight says. */
const LIKELY_SHAPES: readonly Shape[] = SHAPES.flatMap((shape) => Array.from({ length: shape.weight }, () => shape));

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
  const [count = 0, ...kinds] = await secretBytes(secrets, 'decoys', provider, name);
  // One name in four gets two.
  const indexes = [...Array(count % 4 === 0 ? MOST_DECOYS : 1).keys()];
  return Promise.all(
    indexes.map(async (index) => {
      const { bytes = 0, transports = [] } = LIKELY_SHAPES[(kinds[index] ?? 0) % LIKELY_SHAPES.length] ?? {};
      return { id: await decoyId(secrets, [provider, name, String(index)], bytes), transports: [...transports] };
    }),
  );
}

/** Returns an id of up to 64 bytes. */
async function decoyId(secrets: readonly string[], subject: readonly string[], bytes: number): Promise<string> {
  const first = await secretBytes(secrets, 'decoy', ...subject);
  if (bytes <= first.length) return toBase64Url(first.subarray(0, bytes));
  const second = await secretBytes(secrets, 'decoy', ...subject, 'second half');
  return toBase64Url(new Uint8Array([...first, ...second]).subarray(0, bytes));
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
