import type { Engine, SealingKey } from './engine.ts';
import { type NodeBuffer, type NodeBufferConstructor, type NodeCrypto, nodeModules } from './node-crypto.ts';

const IV_LENGTH = 16;
const TAG_LENGTH = 32;
const BLOCK_LENGTH = 16;

/** The synchronous engine; `undefined` where the runtime has no node:crypto. */
export function nodeEngine(): Engine | undefined {
  const modules = nodeModules();
  if (!modules) return undefined;
  const { crypto, Buffer } = modules;
  const draw = randomSource(crypto, Buffer);
  return {
    kind: 'node',
    // In one call, where there is one, it costs half.
    digest: crypto.hash ?? ((hash, text, encoding) => crypto.createHash(hash).update(text, 'utf8').digest(encoding)),
    random(bytes, encoding) {
      const drawn = draw(bytes);
      const text = drawn.toString(encoding);
      drawn.fill(0);
      return text;
    },
    hmacSha256: (key, text) => crypto.createHmac('sha256', key).update(text, 'utf8').digest(),
    hkdf: (secret, salt, info, length) => new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, length)),
    cbcKey: (bytes) => cbcKey(crypto, Buffer, bytes, draw),
    // Tokens of other makers and of providers: few applications ever see one.
    gcmKey: async (bytes) => (await import('./gcm-node.ts')).gcmKey(modules, bytes),
    verifier: async (jwk, algorithm) => (await import('./verifier-node.ts')).nodeVerifier(modules, jwk, algorithm),
  };
}

function cbcKey(
  crypto: NodeCrypto,
  Buffer: NodeBufferConstructor,
  bytes: Uint8Array,
  draw: (bytes: number) => NodeBuffer,
): SealingKey {
  const macKey = crypto.createSecretKey(bytes.subarray(0, 32));
  const encryptionKey = crypto.createSecretKey(bytes.subarray(32));

  /** AAD ‖ IV ‖ ciphertext ‖ length of the AAD in bits, all in one buffer: one call to the MAC instead of four. */
  function macInput(header: string, ciphertextLength: number): NodeBuffer {
    const input = Buffer.allocUnsafe(header.length + IV_LENGTH + ciphertextLength + 8);
    input.write(header, 0, 'latin1');
    // A header has no 512 MB: the upper half of the length is nothing.
    input.writeUInt32BE(0, input.length - 8);
    input.writeUInt32BE(header.length * 8, input.length - 4);
    return input;
  }

  return {
    seal(header, plaintext) {
      const iv = draw(IV_LENGTH);
      const cipher = crypto.createCipheriv('aes-256-cbc', encryptionKey, iv);
      // To have the padding put on or taken off takes a call more each time, and joins two buffers.
      cipher.setAutoPadding(false);
      const blocks = cipher.update(padded(Buffer, plaintext));
      const input = macInput(header, blocks.length);
      const start = header.length + IV_LENGTH;
      input.set(iv, header.length);
      input.set(blocks, start);
      const mac = crypto.createHmac('sha512', macKey).update(input).digest();
      const ivText = input.toString('base64url', header.length, start);
      const ciphertext = input.toString('base64url', start, input.length - 8);
      return `${header}..${ivText}.${ciphertext}.${mac.toString('base64url', 0, TAG_LENGTH)}`;
    },
    open(parts) {
      const iv = Buffer.from(parts.iv, 'base64url');
      const ciphertext = Buffer.from(parts.ciphertext, 'base64url');
      const tag = Buffer.from(parts.tag, 'base64url');
      if (iv.length !== IV_LENGTH || tag.length !== TAG_LENGTH || !isWholeBlocks(ciphertext)) return undefined;
      const input = macInput(parts.header, ciphertext.length);
      input.set(iv, parts.header.length);
      input.set(ciphertext, parts.header.length + IV_LENGTH);
      const mac = crypto.createHmac('sha512', macKey).update(input).digest();
      // The MAC first: whether the padding fits must never be seen by someone who cannot make a MAC.
      if (!crypto.timingSafeEqual(mac.subarray(0, TAG_LENGTH), tag)) return undefined;
      const decipher = crypto.createDecipheriv('aes-256-cbc', encryptionKey, iv);
      decipher.setAutoPadding(false);
      return unpadded(decipher.update(ciphertext));
    },
  };
}

/** The text in whole blocks (RFC 5652 §6.3). */
function padded(Buffer: NodeBufferConstructor, text: string): NodeBuffer {
  const length = Buffer.byteLength(text);
  const padding = BLOCK_LENGTH - (length % BLOCK_LENGTH);
  const bytes = Buffer.allocUnsafe(length + padding);
  bytes.write(text, 0, 'utf8');
  bytes.fill(padding, length);
  return bytes;
}

/** The text before the padding (RFC 5652 §6.3); `undefined` for a wrong one, which only a maker with the key can have made. */
function unpadded(bytes: NodeBuffer): string | undefined {
  const length = bytes[bytes.length - 1] ?? 0;
  if (length === 0 || length > BLOCK_LENGTH) return undefined;
  const end = bytes.length - length;
  for (let index = end; index < bytes.length; index++) if (bytes[index] !== length) return undefined;
  return bytes.toString('utf8', 0, end);
}

function isWholeBlocks(ciphertext: Uint8Array): boolean {
  return ciphertext.length > 0 && ciphertext.length % BLOCK_LENGTH === 0;
}

const POOL_LENGTH = 4096;

/**
 * Fresh random bytes, each given out once, cut from a pool because each draw from the system costs as much as a quarter of a
 * seal. Who makes a secret of them overwrites them.
 */
function randomSource(crypto: NodeCrypto, Buffer: NodeBufferConstructor): (bytes: number) => NodeBuffer {
  const pool = Buffer.allocUnsafe(POOL_LENGTH);
  let used = pool.length;
  return (bytes) => {
    if (bytes > pool.length) throw new RangeError('so many random bytes are never wanted at once');
    if (used + bytes > pool.length) {
      crypto.randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
