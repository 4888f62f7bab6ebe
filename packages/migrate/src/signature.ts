const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** A text that ends with a dot and its HMAC-SHA-256 in base64, as the library has signed it. */
interface Signed {
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * Returns the part before the signature of a cookie; `null` if no secret has signed it. `crypto.subtle.verify` compares
 * in constant time.
 */
export async function verifiedText({ text, secrets }: Signed): Promise<string | null> {
  const dot = text.lastIndexOf('.');
  const signature = bytesOf(text.slice(dot + 1));
  if (dot < 1 || !signature) return null;
  const signed = text.slice(0, dot);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, ['verify']);
    if (await crypto.subtle.verify('HMAC', key, signature, new TextEncoder().encode(signed))) return signed;
  }
  return null;
}

/** Reads base64 or base64url (RFC 4648 §4, §5), with or without padding; `null` if it is neither. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
