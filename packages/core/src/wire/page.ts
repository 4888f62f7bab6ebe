import type { Reply } from '../context.ts';
import { sha256Base64, sha256Base64Url } from '../crypto/hash.ts';

/** A built-in page. */
export interface Page {
  readonly html: string;
  /** The text of each `<style>` element, exactly as between its tags. */
  readonly styles: readonly string[];
  /** Addresses of images on other origins, such as logos. The page may load images from these origins. */
  readonly imageSources?: readonly string[] | undefined;
  /** URLs of the scripts that the page loads. Default: none. */
  readonly scripts?: readonly string[] | undefined;
  /** Whether the scripts send requests to this origin. Default: `false`. */
  readonly connects?: boolean | undefined;
  /** Whether the page loads a font from this origin. Default: `false`. */
  readonly font?: boolean | undefined;
  /** Default: 200. */
  readonly status?: number | undefined;
  readonly cookies?: Reply['cookies'];
  /** Search engines must not list the page: it depends on a link, or on the visitor's mail. Default: `false`. */
  readonly unlisted?: boolean | undefined;
  /** Default: `same-origin`. */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin' | 'no-referrer' | undefined;
}

/**
 * Returns a page as a reply. Its headers prevent framing, sniffing, caching, and loading of foreign content. They have
 * no `form-action`: browsers apply it to the redirects after a form, too, and these lead to providers.
 */
export async function pageReply(page: Page): Promise<Reply> {
  const { html, status, cookies, unlisted = false, referrerPolicy = 'same-origin' } = page;
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
      ...(unlisted && { 'x-robots-tag': 'noindex' }),
    },
    body: html,
  };
}

async function policyOf({ styles, imageSources = [], scripts = [], connects, font }: Page): Promise<string> {
  const hashes = await Promise.all(styles.map(async (style) => `'sha256-${await sha256Base64(style)}'`));
  const images = ["'self'", 'data:', ...new Set(imageSources.flatMap(originOf))];
  const folders = new Set(scripts.map(folderOf));
  return [
    "default-src 'none'",
    ...(hashes.length > 0 ? [`style-src ${hashes.join(' ')}`] : []),
    ...(folders.size > 0 ? [`script-src ${[...folders].join(' ')}`, "require-trusted-types-for 'script'"] : []),
    ...(connects ? ["connect-src 'self'"] : []),
    ...(font ? ["font-src 'self'"] : []),
    `img-src ${images.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Returns the folder of a script, so that no other script of the origin can run. In a policy, `;` and `,` separate
 * (CSP Level 3 §2.2).
 */
function folderOf(script: string): string {
  return new URL('.', script).href.replace(/[;,]/g, encodeURIComponent);
}

/** Returns the origin of an address. The rest is left out, because a `;` in a path would end the directive. */
function originOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin } = new URL(address);
  return origin === 'null' ? [] : [origin];
}

/** Characters of a script's hash that identify its version. */
const VERSION_LENGTH = 16;

/** Returns the version of a script, for its address. */
export async function scriptVersion(text: string): Promise<string> {
  return (await sha256Base64Url(text)).slice(0, VERSION_LENGTH);
}

/**
 * Returns a script of the built-in pages as a reply. Browsers keep it, but not if a page of another release asked for
 * another version.
 *
 * @param asked The version in the address.
 */
export async function scriptReply(text: string, asked: string | undefined): Promise<Reply> {
  const isCurrent = asked === (await scriptVersion(text));
  return {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: text,
    bare: true,
  };
}
