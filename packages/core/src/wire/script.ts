import type { Reply } from '../context.ts';
import { sha256Base64Url } from '../crypto/hash.ts';

/** Characters of a script's hash that tell its versions apart. */
const VERSION = 16;

/** Names the contents of a script, for its address. */
export async function scriptVersion(text: string): Promise<string> {
  return (await sha256Base64Url(text)).slice(0, VERSION);
}

/**
 * A script of our pages, the same for everybody. Browsers keep it for ever; but not what was asked for under another version, by a
 * page of another release.
 *
 * @param asked The version in the address.
 */
export async function scriptReply(text: string, asked: string | undefined): Promise<Reply> {
  const current = asked === (await scriptVersion(text));
  return {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': current ? 'public, max-age=31536000, immutable' : 'no-cache',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: text,
    bare: true,
  };
}
