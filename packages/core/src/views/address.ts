/** Where an `<img>` gets its bytes, and what the page's `img-src` must therefore name. */
export interface ImageAddress {
  readonly src: string;
  /** A CSP source: an origin, or `data:`; `null` for our own origin. */
  readonly source: string | null;
}

/** An address for `href` or `action`: http, https or a path of our own origin. Anything else (`javascript:` …) becomes `/`. */
export function webAddress(text: string): string {
  const url = resolve(text);
  return url && isWeb(url) ? text : '/';
}

/** An address for `<img src>`, from the owner's configuration. `null` when no browser may or could load it. */
export function imageAddress(text: string | undefined): ImageAddress | null {
  if (!text) return null;
  const url = resolve(text);
  if (!url) return null;
  if (url.protocol === 'data:') return url.pathname.startsWith('image/') ? { src: text, source: 'data:' } : null;
  if (!isWeb(url)) return null;
  if (url.origin === ourOrigin) return { src: text, source: null };
  // The URL standard lets "," and ";" stand in a host name, and both separate things in a Content-Security-Policy.
  return /^https?:\/\/[\w.[\]:-]+$/.test(url.origin) ? { src: url.href, source: url.origin } : null;
}

/** Stands for whatever our origin is: a view does not know it. */
const ourOrigin = 'https://latchkey.invalid';

function resolve(text: string): URL | null {
  return URL.parse(text, ourOrigin);
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}
