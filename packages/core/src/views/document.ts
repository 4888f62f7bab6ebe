import type { Theme } from '../types.ts';
import { imageAddress, webAddress } from './address.ts';
import { type Html, html, styleElement } from './html.ts';
import { styles } from './styles.ts';
import { themeRules } from './theme.ts';

/** A rendered page, and what its Content-Security-Policy has to allow. */
export interface Page {
  readonly html: string;
  /** Text of each `<style>` element, for `style-src` hashes. There is no `style` attribute and no inline script. */
  readonly styles: readonly string[];
  /** The page loads a script of our own origin. */
  readonly script: boolean;
  /** Sources beside `'self'` that `img-src` has to name. */
  readonly imageSources: readonly string[];
}

/** Which page it is; the class of its `<main>`. */
export type PageKind = 'signin' | 'signout' | 'error' | 'verify-request';

/** What a page is made of. */
export interface DocumentParts {
  readonly title: string;
  readonly theme: Theme;
  readonly kind: PageKind;
  /** Content of the card, with the one `<h1>`. */
  readonly content: Html;
  /** Style rules of this page alone; written from our own words and validated colours. */
  readonly rules?: readonly string[] | undefined;
  /** CSP sources of images in `content`. */
  readonly imageSources?: readonly (string | null)[] | undefined;
  /** Path of a script of ours, which runs when the page is there. */
  readonly script?: string | undefined;
}

/** Apart: bundlers rewrite a template that has a script's end tag in one piece, with a helper of theirs. */
const SCRIPT = 'script';

/** The frame that all pages share. */
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
