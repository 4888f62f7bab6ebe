import type { PageTheme } from '../types/theme.ts';
import { glyphs, type Page, renderDocument, siteLink, webAddress } from './document.ts';
import { type Html, html } from './html.ts';

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
export function errorPage({ theme, error = '', signInUrl, origin, reference, details = [] }: ErrorPageData): ErrorPage {
  const situation = situations.get(error) ?? otherwise;
  const page = renderDocument({
    title: 'Error',
    theme,
    kind: 'error',
    content: html`${glyphs.problem}
<h1>${situation.heading}</h1>
<div class="message">${situation.sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>
${details.length > 0 && problemList(details)}
${situation.next === 'signIn' && html`<div class="choices"><a class="button" href="${webAddress(signInUrl)}">Sign in</a></div>`}
${situation.next === 'site' && html`<p class="back">${siteLink(origin)}</p>`}
${reference !== undefined && html`<p class="reference">If you ask the owner of this site for help, mention <code>${reference}</code></p>`}`,
  });
  return { page, status: situation.status };
}

interface Situation {
  readonly status: number;
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly next: 'signIn' | 'site';
}

/** Texts by error code. In a `Map`, names such as `__proto__` are not found. */
const situations: ReadonlyMap<string, Situation> = new Map<string, Situation>([
  [
    'Configuration',
    {
      status: 500,
      heading: 'Server error',
      sentences: [
        'Signing in does not work at the moment: there is a problem with the server configuration.',
        'If this is your site, see the server log for the cause.',
      ],
      next: 'site',
    },
  ],
  [
    'AccessDenied',
    { status: 403, heading: 'Access denied', sentences: ['You do not have permission to sign in.'], next: 'signIn' },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'Unable to sign in',
      sentences: [
        'This sign-in link is no longer valid.',
        'It may have been used already, or it may have expired. Sign in again to get a new one.',
      ],
      next: 'signIn',
    },
  ],
  [
    'AccountChanged',
    {
      status: 403,
      heading: 'Unable to sign in',
      sentences: [
        'Your email address is confirmed for another account, or for the address that the account had before.',
        'Sign in again, and choose the account with which you started.',
      ],
      next: 'signIn',
    },
  ],
  [
    'RateLimited',
    {
      status: 429,
      heading: 'Too many attempts',
      sentences: ['There were too many attempts.', 'Please wait a few minutes, then try again.'],
      next: 'signIn',
    },
  ],
]);

const otherwise: Situation = {
  status: 200,
  heading: 'Error',
  sentences: ['Something went wrong. Go back to the site and try again.'],
  next: 'site',
};

function problemList(details: readonly ErrorDetail[]): Html {
  return html`<ul class="problems">${details.map(
    ({ type, message, remedy }) =>
      html`<li><h2>${type}</h2><p>${withCode(message)}</p>${remedy !== undefined && html`<p class="remedy">${withCode(remedy)}</p>`}</li>`,
  )}</ul>`;
}

/** Renders the text between backticks as code. */
function withCode(sentence: string): Html[] {
  return sentence.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`));
}
