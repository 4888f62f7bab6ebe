/** What newer runtimes bring (ECMAScript 2026); Node 24 does not have it yet. */
interface NativeEncode {
  toBase64?(options: { alphabet: 'base64' | 'base64url'; omitPadding: boolean }): string;
}

/** Bytes as base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  const native = (bytes as NativeEncode).toBase64?.({ alphabet: 'base64url', omitPadding: true });
  return native ?? toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Bytes as base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as NativeEncode).toBase64?.({ alphabet: 'base64', omitPadding: false });
  return native ?? btoa(toBinary(bytes));
}

/** Bytes as lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}

function toBinary(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
