import type { Theme } from '../types/provider.ts';
import { type Html, html, styleElement } from './html.ts';
import { styles } from './styles.ts';
import { themeRules } from './theme.ts';

/** A rendered page, with the sources that its Content-Security-Policy must allow. */
export interface Page {
  readonly html: string;
  /**
   * Text of each `<style>` element, for the hashes in `style-src`. Pages have no `style` attributes and no inline
   * scripts.
   */
  readonly styles: readonly string[];
  /** `true`: the page loads a script from its own origin. */
  readonly script: boolean;
  /** Sources for `img-src`, in addition to `'self'`. */
  readonly imageSources: readonly string[];
}

/** Kind of page, and the class of its `<main>` element. */
export type PageKind = 'signin' | 'signout' | 'error' | 'verify-request' | 'sessions' | 'account';

/** Parts of a page. */
export interface DocumentParts {
  readonly title: string;
  readonly theme: Theme;
  readonly kind: PageKind;
  /** Content of the card, including the only `<h1>` of the page. */
  readonly content: Html;
  /** Style rules of this page. They contain constants and validated colors only. */
  readonly rules?: readonly string[] | undefined;
  /** CSP sources of images in `content`. */
  readonly imageSources?: readonly (string | null)[] | undefined;
  /** Path of a module script, which runs when the page is parsed. Default: none. */
  readonly script?: string | undefined;
}

/** A constant, because bundlers rewrite a template that contains the end tag of a script. */
const SCRIPT = 'script';

/** Returns a complete page around the content. */
export function renderDocument(parts: DocumentParts): Page {
  const { title, theme, kind, content, rules = [], imageSources = [], script } = parts;
  const logo = imageAddress(theme.logo);
  const scheme = theme.colorScheme === 'light' || theme.colorScheme === 'dark' ? theme.colorScheme : 'auto';
  const ownRules = [...themeRules(theme), ...rules].join('\n');
  const sheets = ownRules === '' ? [styles] : [styles, ownRules];
  const page = html`<!doctype html>
<html lang="en" data-color-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme === 'auto' ? 'light dark' : scheme}">
<title>${title}</title>
${sheets.map(styleElement)}${
  script !== undefined &&
  html`
<script type="module" src="${webAddress(script)}"></${SCRIPT}>`
}
</head>
<body>
<div class="page">
<main class="${kind}">
${logo && html`<img class="logo" src="${logo.src}" alt="Logo">`}
<div class="card">
${content}
</div>
</main>
</div>
</body>
</html>
`;
  const sources = [logo?.source, ...imageSources].filter((source) => typeof source === 'string');
  return {
    html: page.toString(),
    styles: sheets,
    script: script !== undefined,
    imageSources: [...new Set(sources)],
  };
}

/** The URL of an image, with the source that `img-src` must allow for it. */
export interface ImageAddress {
  readonly src: string;
  /** An origin or `data:`. `null` for the origin of the page. */
  readonly source: string | null;
}

/**
 * Returns a URL for `href` or `action`: http, https or a path. For any other URL, such as `javascript:`, returns `/`.
 */
export function webAddress(text: string): string {
  const url = resolve(text);
  return url && isWeb(url) ? text : '/';
}

/** Returns the URL of a configured image, or `null` if a browser cannot load it. */
export function imageAddress(text: string | undefined): ImageAddress | null {
  if (!text) return null;
  const url = resolve(text);
  if (!url) return null;
  if (url.protocol === 'data:') return url.pathname.startsWith('image/') ? { src: text, source: 'data:' } : null;
  if (!isWeb(url)) return null;
  if (url.origin === ourOrigin) return { src: text, source: null };
  // The URL Standard allows "," and ";" in a host name. In a Content-Security-Policy, both are separators.
  return /^https?:\/\/[\w.[\]:-]+$/.test(url.origin) ? { src: url.href, source: url.origin } : null;
}

/** Stands for the origin of the page, which a view does not know. */
const ourOrigin = 'https://latchkey.invalid';

function resolve(text: string): URL | null {
  return URL.parse(text, ourOrigin);
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** Decorative line drawings, 24 × 24. */
export const glyphs: Readonly<Record<'mail' | 'leave' | 'problem', Html>> = {
  mail: html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="m3 7.5 9 6 9-6"/></svg>`,
  leave: html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="M13 4H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h6"/><path d="M10 12h11m-4-4 4 4-4 4"/></svg>`,
  problem: html`<svg class="glyph problem" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.5"/><path d="M12 7.5v5.5m0 3.5v.01"/></svg>`,
};

/** Returns a link to the site, with its host as text. */
export function siteLink(origin: string): Html {
  const address = webAddress(origin);
  return html`<a class="site" href="${address}">${URL.parse(address)?.host ?? 'Back to the site'}</a>`;
}

/** Returns a hidden field, or `null` if the value is undefined. */
export function hiddenField(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}
