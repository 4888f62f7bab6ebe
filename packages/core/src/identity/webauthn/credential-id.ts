import { fromBase64Url, toBase64, toBase64Url } from '../../crypto/bytes.ts';
import type { Authenticator } from '../../types/user.ts';
import type { CredentialDescriptor } from './library.ts';

/** Returns the bytes of an id or key in the store's form (base64 with padding) or the browser's (base64url without). */
export function fromStored(text: string): Uint8Array<ArrayBuffer> | undefined {
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
}

/** Returns the bytes of a browser's base64url text, with or without padding; `undefined` if it is not base64url. */
export function fromBrowser(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  return typeof text === 'string' ? fromBase64Url(text.replace(/={1,2}$/, '')) : undefined;
}

/** Returns a browser's credential id in the form of the store; `undefined` if it is not base64url. */
export function toStored(id: unknown): string | undefined {
  const bytes = fromBrowser(id);
  return bytes && bytes.length > 0 ? toBase64(bytes) : undefined;
}

/**
 * Returns a stored passkey as options name it; an empty list if its id cannot be read. Its transports are in
 * alphabetical order. Some password managers use another one, which would tell their passkeys from decoys.
 */
export function descriptorOf({ credentialID, transports }: Authenticator): CredentialDescriptor[] {
  const bytes = fromStored(credentialID);
  if (!bytes || bytes.length === 0) return [];
  const known = transports?.split(',').filter(isTransport).sort() ?? [];
  return [{ id: toBase64Url(bytes), ...(known.length > 0 && { transports: known }) }];
}

/** Transports of one authenticator at most. */
const TRANSPORTS = 8;

/** Returns a browser's list of transports in the form of the store: joined by commas. */
export function transportsOf(transports: unknown): string | null {
  const list = Array.isArray(transports) ? transports.filter(isTransport).slice(0, TRANSPORTS) : [];
  return list.length > 0 ? [...new Set(list)].join(',') : null;
}

/** A name such as `internal` or `smart-card` (WebAuthn §5.8.4). New names are accepted. */
function isTransport(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z-]{1,32}$/.test(name);
}
