/*
 * Tokens without a library, by WebCrypto (JWE, `dir`, A256CBC-HS512). The MAC is verified before the decryption.
 */

type Bytes = Uint8Array<ArrayBuffer>;

interface Keys {
  readonly header: string;
  readonly aad: Bytes;
  readonly mac: CryptoKey;
  readonly encryption: CryptoKey;
}

const { subtle } = crypto;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const derived = new Map<string, Keys>();

async function keysOf(secret: string, salt: string): Promise<Keys> {
  const input = await subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits']);
  const info = encoder.encode(`Auth.js Generated Encryption Key (${salt})`);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode(salt), info };
  const bytes = new Uint8Array(await subtle.deriveBits(algorithm, input, 512));
  const thumbprint = await subtle.digest('SHA-512', encoder.encode(`{"k":"${base64Url(bytes)}","kty":"oct"}`));
  const kid = base64Url(new Uint8Array(thumbprint));
  const header = base64Url(encoder.encode(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })));
  const mac = await subtle.importKey('raw', bytes.subarray(0, 32), { name: 'HMAC', hash: 'SHA-512' }, false, ['sign']);
  const encryption = await subtle.importKey('raw', bytes.subarray(32), 'AES-CBC', false, ['encrypt', 'decrypt']);
  const keys = { header, aad: encoder.encode(header), mac, encryption };
  derived.set(secret + salt, keys);
  return keys;
}

/** Returns bytes as base64url without padding. */
function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) text += String.fromCharCode(bytes[index] as number);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOf(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

async function tagOf({ aad, mac }: Keys, iv: Bytes, ciphertext: Bytes): Promise<Bytes> {
  const end = aad.length + 16 + ciphertext.length;
  const input = new Uint8Array(end + 8);
  input.set(aad);
  input.set(iv, aad.length);
  input.set(ciphertext, aad.length + 16);
  new DataView(input.buffer).setUint32(end + 4, aad.length * 8);
  return new Uint8Array(await subtle.sign('HMAC', mac, input), 0, 32);
}

/** Seals claims with new `iat`, `exp` and `jti`. `maxAge` and `now` are in seconds. */
export async function seal(claims: object, secret: string, salt: string, maxAge: number, now: number): Promise<string> {
  const keys = derived.get(secret + salt) ?? (await keysOf(secret, salt));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const text = JSON.stringify({ ...claims, iat: now, exp: now + maxAge, jti: crypto.randomUUID() });
  const ciphertext = new Uint8Array(
    await subtle.encrypt({ name: 'AES-CBC', iv }, keys.encryption, encoder.encode(text)),
  );
  const tag = await tagOf(keys, iv, ciphertext);
  return `${keys.header}..${base64Url(iv)}.${base64Url(ciphertext)}.${base64Url(tag)}`;
}

const SHAPE = /^[\w-]+\.\.[\w-]{22}\.[\w-]+\.[\w-]{43}$/;

/** Returns the claims of a token; `undefined` if the secret has not sealed it, or if it has expired. */
export async function open(
  token: string,
  secret: string,
  salt: string,
  now: number,
): Promise<Record<string, unknown> | undefined> {
  if (token.length > 131_072 || !SHAPE.test(token)) return undefined;
  const keys = derived.get(secret + salt) ?? (await keysOf(secret, salt));
  const [header, , iv, ciphertext, tag] = token.split('.') as [string, string, string, string, string];
  if (header !== keys.header) return undefined;
  const [ivBytes, cipherBytes, tagBytes] = [bytesOf(iv), bytesOf(ciphertext), bytesOf(tag)];
  if (cipherBytes.length === 0 || cipherBytes.length % 16 !== 0) return undefined;
  const expected = await tagOf(keys, ivBytes, cipherBytes);
  let difference = 0;
  for (let index = 0; index < 32; index++) difference |= (expected[index] as number) ^ (tagBytes[index] as number);
  if (difference !== 0) return undefined;
  const plaintext = await subtle.decrypt({ name: 'AES-CBC', iv: ivBytes }, keys.encryption, cipherBytes);
  const claims = JSON.parse(decoder.decode(plaintext)) as Record<string, unknown>;
  return (claims['exp'] as number) > now - 15 ? claims : undefined;
}
