import { chain, firstResult } from '../chain.ts';
import type { Awaitable } from '../types.ts';
import { fromBase64Url } from './decoding.ts';
import { type ContentEncryption, type DerivedKey, gcmOpeningKey, sealingKey } from './derive.ts';
import type { Engine, SealedParts } from './engine.ts';
import { readObject } from './read-object.ts';

/**
 * The plaintext of a token whose header somebody else has written: another order, A256GCM, or no `kid`, which tries every secret.
 * `undefined` when no secret opens it.
 */
export function decryptForeign(
  engine: Engine,
  parts: SealedParts,
  secrets: readonly string[],
  salt: string,
): Awaitable<string | undefined> {
  const header = readHeader(parts.header);
  if (!header) return undefined;
  const keyOf = header.enc === 'A256GCM' ? gcmOpeningKey : sealingKey;
  return firstResult(secrets, (secret) =>
    chain<DerivedKey, string | undefined>(keyOf(engine, secret, salt), ({ kid, key }) =>
      header.kid === undefined || header.kid === kid ? key.open(parts) : undefined,
    ),
  );
}

/** The protected header (RFC 7516 §4); `undefined` when it asks for anything but what we do. */
function readHeader(segment: string): { enc: ContentEncryption; kid: unknown } | undefined {
  const bytes = fromBase64Url(segment);
  const header = bytes && readObject(new TextDecoder().decode(bytes));
  if (header?.alg !== 'dir' || Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'zip')) return undefined;
  const { enc, kid } = header;
  return enc === 'A256CBC-HS512' || enc === 'A256GCM' ? { enc, kid } : undefined;
}
