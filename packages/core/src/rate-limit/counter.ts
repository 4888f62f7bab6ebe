import type { Settings } from '../config/settings.ts';
import { toBase64Url, toHex } from '../crypto/encoding.ts';
import { hmacSha256 } from '../crypto/hash.ts';
import type { Kind, Purpose } from './rules.ts';

const keys = new WeakMap<Settings, string>();

/**
 * The name of a counter in its store: an HMAC under a key that is made of the newest secret, so that whoever reads the store learns
 * neither addresses nor names, and cannot try them out. With a new secret all counters begin anew.
 */
export async function counterName(settings: Settings, purpose: Purpose, kind: Kind, value: string): Promise<string> {
  const known = keys.get(settings);
  const key = known ?? toHex(await hmacSha256(settings.secrets[0] ?? '', 'latchkey rate limits'));
  if (known === undefined) keys.set(settings, key);
  // As JSON: parts that were only joined could be cut in other places.
  return toBase64Url(await hmacSha256(key, JSON.stringify([purpose, kind, value])));
}
