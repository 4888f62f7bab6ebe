import type { Reply } from '../context.ts';
import { sha256Base64 } from '../crypto/hash.ts';

/** One of our own pages. */
export interface Page {
  readonly html: string;
  /** The text of each `<style>` element, exactly as it stands between the tags. */
  readonly styles: readonly string[];
  /** Addresses of images from other places (the owner's logos); their origins may be loaded from. */
  readonly imageSources?: readonly string[] | undefined;
  /** The page loads our own script, which talks to us. Default: `false`, no script runs. */
  readonly script?: boolean | undefined;
  /** Default: 200. */
  readonly status?: number | undefined;
  readonly cookies?: Reply['cookies'];
  /** Default: `same-origin`. */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin' | 'no-referrer' | undefined;
}

/**
 * A page with all that keeps it from being framed, sniffed, cached, or made to load what we have not written. There is no
 * `form-action`: browsers apply it to the redirects after a form, and ours lead to providers.
 */
export async function pageReply(page: Page): Promise<Reply> {
  const { html, status, cookies, referrerPolicy = 'same-origin' } = page;
  return {
    status,
    cookies,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': await policyOf(page),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': referrerPolicy,
      'cache-control': 'private, no-store',
    },
    body: html,
  };
}

async function policyOf({ styles, imageSources = [], script = false }: Page): Promise<string> {
  const hashes = await Promise.all(styles.map(hashSource));
  const images = ["'self'", 'data:', ...new Set(imageSources.flatMap(originOf))];
  return [
    "default-src 'none'",
    ...(hashes.length > 0 ? [`style-src ${hashes.join(' ')}`] : []),
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    `img-src ${images.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const HASHES_KEPT = 256;
const hashes = new Map<string, string>();

async function hashSource(style: string): Promise<string> {
  const known = hashes.get(style);
  if (known) return known;
  const source = `'sha256-${await sha256Base64(style)}'`;
  hashes.set(style, source);
  for (const oldest of hashes.keys()) {
    if (hashes.size <= HASHES_KEPT) break;
    hashes.delete(oldest);
  }
  return source;
}

/** Only an origin goes into the policy: a path or a `;` of the address could change what else it says. */
function originOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin } = new URL(address);
  return origin === 'null' ? [] : [origin];
}
