import type { OpeningKey, SealedParts } from './engine.ts';
import type { NodeModules } from './node-crypto.ts';

/** A key of A256GCM (RFC 7518 §5.3), to read tokens of other makers. */
export function gcmKey({ crypto, Buffer }: NodeModules, bytes: Uint8Array): OpeningKey {
  const key = crypto.createSecretKey(bytes);
  return {
    open(parts: SealedParts) {
      const iv = Buffer.from(parts.iv, 'base64url');
      const tag = Buffer.from(parts.tag, 'base64url');
      if (iv.length !== 12 || tag.length !== 16) return undefined;
      const decipher = crypto.createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
      decipher.setAAD(Buffer.from(parts.header, 'latin1'));
      decipher.setAuthTag(tag);
      try {
        // Joined before it becomes text: a character may lie across the border of two blocks.
        const blocks = [decipher.update(Buffer.from(parts.ciphertext, 'base64url')), decipher.final()];
        return Buffer.concat(blocks).toString('utf8');
      } catch {
        // The tag is wrong.
        return undefined;
      }
    },
  };
}
