import type { Language, Texts } from '../messages/en.ts';
import type { PageTheme } from '../types/theme.ts';
import { glyphs, type Page, pageLanguage, renderDocument, siteLink, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { phrase } from './text.ts';

/** A problem that the page describes to the developer. */
export interface ErrorDetail {
  /** Type of the error. */
  readonly type: string;
  readonly message: string;
  /** Instruction for the developer. */
  readonly remedy?: string | undefined;
}

/** Data of the error page. */
export interface ErrorPageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** The query parameter `error`, unchecked. */
  readonly error?: string | undefined;
  readonly signInUrl: string;
  /** Origin of the site, for the link back. */
  readonly origin: string;
  /** Identifier of the error in the log. */
  readonly reference?: string | undefined;
  /** Problems to show. For development only, because every visitor can see them. */
  readonly details?: readonly ErrorDetail[] | undefined;
}

/** A page and the HTTP status of its response. */
export interface ErrorPage {
  readonly page: Page;
  readonly status: number;
}

/** Returns the error page. Its text depends on the error code only; the log contains the cause. */
export function errorPage(data: ErrorPageData): ErrorPage {
  const { theme, language, error = '', signInUrl, origin, reference, details = [] } = data;
  const { errorPage: texts } = language.texts;
  const { status, heading, hint, next } = situations.get(error) ?? otherwise;
  const page = renderDocument({
    title: texts[heading],
    theme,
    language: pageLanguage(language),
    kind: 'error',
    content: html`${glyphs.problem}
<h1>${texts[heading]}</h1>
${hint && html`<p class="message">${texts[hint]}</p>`}
${details.length > 0 && problemList(details)}
${next === undefined ? html`<p class="back">${siteLink(origin)}</p>` : html`<div class="choices"><a class="button" href="${webAddress(signInUrl)}">${texts[next]}</a></div>`}
${reference !== undefined && html`<p class="reference">${phrase(texts.reference, { reference: html`<code>${reference}</code>` })}</p>`}`,
  });
  return { page, status };
}

type ErrorText = keyof Texts['errorPage'];

interface Situation {
  readonly status: number;
  readonly heading: ErrorText;
  readonly hint?: ErrorText;
  /** The button to the sign-in page. Default: a link to the site. */
  readonly next?: ErrorText;
}

/** Situations by error code. In a `Map`, names such as `__proto__` are not found. */
const situations: ReadonlyMap<string, Situation> = new Map<string, Situation>([
  ['Configuration', { status: 500, heading: 'configuration', hint: 'configurationHint' }],
  ['AccessDenied', { status: 403, heading: 'accessDenied', hint: 'accessDeniedHint', next: 'differentAccount' }],
  ['Verification', { status: 403, heading: 'verification', hint: 'verificationHint', next: 'sendLink' }],
  ['AccountChanged', { status: 403, heading: 'accountChanged', hint: 'accountChangedHint', next: 'signIn' }],
  ['RateLimited', { status: 429, heading: 'rateLimited', hint: 'rateLimitedHint', next: 'signIn' }],
]);

const otherwise: Situation = { status: 200, heading: 'other', hint: 'otherHint' };

function problemList(details: readonly ErrorDetail[]): Html {
  return html`<ul class="problems">${details.map(
    ({ type, message, remedy }) =>
      html`<li><h2>${type}</h2><p>${withCode(message)}</p>${remedy !== undefined && html`<p class="remedy">${withCode(remedy)}</p>`}</li>`,
  )}</ul>`;
}

/** Renders the text between backticks as code, and the URL of the documentation as a link. */
export function withCode(sentence: string): Html[] {
  const [, text = sentence, url] = /^(.* See )(https:\/\/\S+#[a-z-]+)$/s.exec(sentence) ?? [];
  const parts = text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`));
  return url === undefined ? parts : [...parts, html`<a href="${url}">${url}</a>`];
}
