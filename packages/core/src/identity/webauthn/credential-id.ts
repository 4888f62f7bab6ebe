import { fromBase64Url } from '../../crypto/decoding.ts';
import { toBase64, toBase64Url } from '../../crypto/encoding.ts';
import type { Authenticator } from '../../types.ts';
import type { CredentialDescriptor } from './library.ts';

/** The bytes of an id or key, written as the store does (base64 with padding) or as browsers do (base64url without). */
export function fromStored(text: string): Uint8Array<ArrayBuffer> | undefined {
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
}

/** The id of a browser's credential in the one form in which the store has it; `undefined` when it is none. */
export function toStored(id: unknown): string | undefined {
  const bytes = typeof id === 'string' ? fromBase64Url(id) : undefined;
  return bytes && bytes.length > 0 ? toBase64(bytes) : undefined;
}

/** A stored passkey as options name it; none when its id cannot be read. */
export function descriptorOf({ credentialID, transports }: Authenticator): CredentialDescriptor[] {
  const bytes = fromStored(credentialID);
  if (!bytes || bytes.length === 0) return [];
  const known = transports?.split(',').filter(isTransport) ?? [];
  return [{ id: toBase64Url(bytes), ...(known.length > 0 && { transports: known }) }];
}

/** Ways to reach an authenticator, at most. */
const TRANSPORTS = 8;

/** What a browser told about the ways to reach an authenticator, as the store keeps it. */
export function transportsOf(told: unknown): string | null {
  const list = Array.isArray(told) ? told.filter(isTransport).slice(0, TRANSPORTS) : [];
  return list.length > 0 ? [...new Set(list)].join(',') : null;
}

/** A name such as `internal` or `smart-card` (WebAuthn §5.8.4); new ones come. */
function isTransport(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z-]{1,32}$/.test(name);
}
