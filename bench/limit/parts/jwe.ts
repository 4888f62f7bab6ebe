import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';

/*
 * Tokens without a library (JWE, `dir`, A256CBC-HS512). Keys are derived once and found by the encoded header. One
 * buffer is the input of the MAC.
 */

interface Keys {
  readonly header: string;
  readonly mac: KeyObject;
  readonly encryption: KeyObject;
}

const derived = new Map<string, Map<string, Keys>>();

function keysOf(secret: string, salt: string): Keys {
  return derived.get(salt)?.get(secret) ?? derive(secret, salt);
}

function derive(secret: string, salt: string): Keys {
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, `Auth.js Generated Encryption Key (${salt})`, 64));
  const kid = hash('sha512', `{"k":"${bytes.toString('base64url')}","kty":"oct"}`, 'base64url');
  const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })).toString('base64url');
  const keys = { header, mac: createSecretKey(bytes.subarray(0, 32)), encryption: createSecretKey(bytes.subarray(32)) };
  bytes.fill(0);
  const bySecret = derived.get(salt) ?? new Map<string, Keys>();
  bySecret.set(secret, keys);
  derived.set(salt, bySecret);
  return keys;
}

const ivs = Buffer.allocUnsafe(4096);
const place = { iv: ivs.length };

function freshIv(): Buffer {
  if (place.iv === ivs.length) {
    randomFillSync(ivs);
    place.iv = 0;
  }
  place.iv += 16;
  return ivs.subarray(place.iv - 16, place.iv);
}

/** Returns a buffer for the input of the MAC (RFC 7518 §5.2.2.1): header, IV, ciphertext, and the header's length. */
function macInput(header: string, iv: Buffer, ciphertextLength: number): Buffer {
  const end = header.length + 16 + ciphertextLength;
  const input = Buffer.allocUnsafe(end + 8);
  input.write(header, 'latin1');
  input.set(iv, header.length);
  input.writeUInt32BE(0, end);
  input.writeUInt32BE(header.length * 8, end + 4);
  return input;
}

/** Seals claims with new `iat`, `exp` and `jti`. `maxAge` and `now` are in seconds. */
export function seal(claims: object, secret: string, salt: string, maxAge: number, now: number): string {
  const { header, mac, encryption } = keysOf(secret, salt);
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-cbc', encryption, iv);
  const text = JSON.stringify({ ...claims, iat: now, exp: now + maxAge, jti: randomUUID() });
  const blocks = cipher.update(text, 'utf8');
  const last = cipher.final();
  const input = macInput(header, iv, blocks.length + last.length);
  const start = header.length;
  input.set(blocks, start + 16);
  input.set(last, start + 16 + blocks.length);
  const tag = createHmac('sha512', mac).update(input).digest();
  return `${header}..${input.toString('base64url', start, start + 16)}.${input.toString('base64url', start + 16, input.length - 8)}.${tag.toString('base64url', 0, 32)}`;
}

const SHAPE = /^[\w-]+\.\.[\w-]{22}\.[\w-]+\.[\w-]{43}$/;

/** Returns the claims of a token; `undefined` if none of the secrets has sealed it, or if it has expired. */
export function open(
  token: string,
  secrets: readonly string[],
  salt: string,
  now: number,
): Record<string, unknown> | undefined {
  if (token.length > 131_072 || !SHAPE.test(token)) return undefined;
  const header = token.slice(0, token.indexOf('.'));
  for (const secret of secrets) {
    const keys = keysOf(secret, salt);
    if (keys.header === header) return current(decrypted(token, keys), now);
  }
  return undefined;
}

function decrypted(token: string, { header, mac, encryption }: Keys): string | undefined {
  const start = header.length + 2;
  const iv = Buffer.from(token.slice(start, start + 22), 'base64url');
  const ciphertext = Buffer.from(token.slice(start + 23, -44), 'base64url');
  const tag = Buffer.from(token.slice(-43), 'base64url');
  if (iv.length !== 16 || tag.length !== 32 || ciphertext.length === 0 || ciphertext.length % 16 !== 0)
    return undefined;
  const input = macInput(header, iv, ciphertext.length);
  input.set(ciphertext, header.length + 16);
  const expected = createHmac('sha512', mac).update(input).digest();
  if (!timingSafeEqual(expected.subarray(0, 32), tag)) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-cbc', encryption, iv);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function current(text: string | undefined, now: number): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const claims = objectOf(text);
  if (!claims || typeof claims['exp'] !== 'number' || typeof claims['iat'] !== 'number') return undefined;
  return claims['exp'] > now - 15 ? claims : undefined;
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
