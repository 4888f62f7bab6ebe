import type { Language } from '../messages/en.ts';
import type { PageTheme } from '../types/theme.ts';
import { type Html, html, styleElement } from './html.ts';
import { signInStyles, styles } from './styles.ts';
import { colorSchemeOf, fontPath, ourOrigin, themeColors, themeRules } from './theme.ts';

/** A rendered page, with the sources that its Content-Security-Policy must allow. */
export interface Page {
  readonly html: string;
  /**
   * Text of each `<style>` element, for the hashes in `style-src`. Pages have no `style` attributes and no inline
   * scripts.
   */
  readonly styles: readonly string[];
  /** Addresses of the scripts that the page loads, as in its tags. */
  readonly scripts: readonly string[];
  /** Sources for `img-src`, in addition to `'self'`. */
  readonly imageSources: readonly string[];
  /** The page loads a font from its own origin. */
  readonly font: boolean;
}

/** Kind of page, and the class of its `<main>` element. */
export type PageKind = 'signin' | 'signout' | 'error' | 'verify-request' | 'sessions' | 'account';

/** Language of a page. */
export interface PageLanguage {
  /** BCP 47 tag. */
  readonly code: string;
  readonly dir: 'ltr' | 'rtl';
  /** Texts of the links below the card. */
  readonly footer: Readonly<Record<'terms' | 'privacy' | 'help', string>>;
}

/** Returns the language of a page, with the texts of the links below the card. */
export function pageLanguage({ code, dir, texts }: Language): PageLanguage {
  return { code, dir, footer: texts.common };
}

/** Parts of a page. */
export interface DocumentParts {
  /** The heading, for the title. The name of the application follows it. */
  readonly title: string;
  readonly theme: PageTheme;
  readonly kind: PageKind;
  /** Content of the card, including the only `<h1>` of the page. */
  readonly content: Html;
  /** Default: English. */
  readonly language?: PageLanguage | undefined;
  /** Style rules of this page alone. They contain constants only. Default: none. */
  readonly rules?: readonly string[] | undefined;
  /** CSP sources of images in `content`. */
  readonly imageSources?: readonly (string | null)[] | undefined;
  /** Addresses of module scripts, which run when the page is parsed. Default: none. */
  readonly scripts?: readonly string[] | undefined;
}

const english: PageLanguage = {
  code: 'en',
  dir: 'ltr',
  footer: { terms: 'Terms', privacy: 'Privacy', help: 'Help' },
};

/** A constant, because bundlers rewrite a template that contains the end tag of a script. */
const SCRIPT = 'script';

/**
 * Returns a complete page around the content. All pages of a configuration have the same style sheet, apart from
 * {@link DocumentParts.rules}. The pages of a sign-in, which everyone loads first, leave out the rules of other pages.
 */
export function renderDocument(parts: DocumentParts): Page {
  const { title, theme, kind, content, language = english, rules = [], imageSources = [], scripts = [] } = parts;
  const scheme = colorSchemeOf(theme);
  const sheet = [kind === 'signin' ? signInStyles : styles, ...themeRules(theme), ...rules].join('\n');
  const logo = logoOf(theme);
  const icon = imageAddress(theme.favicon);
  const page = html`<!doctype html>
<html lang="${language.code}" dir="${language.dir}" data-color-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme === 'auto' ? 'light dark' : scheme}">
${colorMetas(theme)}<title>${title}${theme.name && ` · ${theme.name}`}</title>
${icon && html`<link rel="icon" href="${icon.src}">\n`}${styleElement(sheet)}${scripts.map(
  (address) => html`
<script type="module" src="${webAddress(address)}"></${SCRIPT}>`,
)}
</head>
<body>
<div class="page">
<main class="${kind}">
${logo?.element}
<div class="card">
${content}
</div>
${footer(theme.links, language)}</main>
</div>
</body>
</html>
`;
  const sources = [...(logo?.sources ?? []), icon?.source, ...imageSources];
  return {
    html: page.toString(),
    styles: [sheet],
    scripts,
    imageSources: [...new Set(sources.filter((source) => typeof source === 'string'))],
    font: fontPath(theme) !== undefined,
  };
}

/** The color of the browser's own controls around the page. */
function colorMetas(theme: PageTheme): Html | null {
  const colors = themeColors(theme);
  if (!colors) return null;
  const scheme = colorSchemeOf(theme);
  if (scheme !== 'auto') return html`<meta name="theme-color" content="${colors[scheme]}">\n`;
  return html`<meta name="theme-color" content="${colors.light}" media="(prefers-color-scheme:light)">
<meta name="theme-color" content="${colors.dark}" media="(prefers-color-scheme:dark)">
`;
}

interface Logo {
  readonly element: Html;
  readonly sources: readonly (string | null)[];
}

/** Returns the logo, or `null` if a browser cannot load it. */
function logoOf(theme: PageTheme): Logo | null {
  const { logo, name } = theme;
  const isPair = typeof logo === 'object' && logo !== null;
  const scheme = colorSchemeOf(theme);
  const main = imageAddress(isPair ? logo[scheme === 'auto' ? 'light' : scheme] : logo);
  if (!main) return null;
  const dark = isPair && scheme === 'auto' ? imageAddress(logo.dark) : null;
  return {
    element: html`<picture>${dark && html`<source srcset="${inSet(dark.src)}" media="(prefers-color-scheme:dark)">`}<img class="logo" src="${main.src}" alt="${name ?? ''}"></picture>`,
    sources: [main.source, dark?.source ?? null],
  };
}

/** In `srcset`, a space ends an address (HTML §4.8.4.2.1). */
function inSet(address: string): string {
  return address.trim().replace(/\s/g, '%20');
}

function footer(links: PageTheme['links'], { footer: texts }: PageLanguage): Html | null {
  const pages = (['terms', 'privacy', 'help'] as const).flatMap((name) => {
    const page = links?.[name];
    return page ? [html`<a href="${webAddress(page)}">${texts[name]}</a>`] : [];
  });
  return pages.length > 0 ? html`<footer class="links">${pages}</footer>\n` : null;
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
export function imageAddress(text: unknown): ImageAddress | null {
  if (typeof text !== 'string' || text === '') return null;
  const url = resolve(text);
  if (!url) return null;
  if (url.protocol === 'data:') return url.pathname.startsWith('image/') ? { src: text, source: 'data:' } : null;
  if (!isWeb(url)) return null;
  if (url.origin === ourOrigin) return { src: text, source: null };
  // The URL Standard allows "," and ";" in a host name. In a Content-Security-Policy, both are separators.
  return /^https?:\/\/[\w.[\]:-]+$/.test(url.origin) ? { src: url.href, source: url.origin } : null;
}

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
  return html`<a class="site" href="${address}">${URL.parse(address)?.host ?? address}</a>`;
}

/** Returns a text that a visitor has typed, such as an address. Its direction does not change the text around it. */
export function typed(text: string): Html {
  return html`<strong><bdi>${text}</bdi></strong>`;
}

/** Returns a hidden field, or `null` if the value is undefined. */
export function hiddenField(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}
