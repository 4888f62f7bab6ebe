import type { Theme } from '../types.ts';
import { webAddress } from './address.ts';
import { type Page, renderDocument } from './document.ts';
import { glyphs } from './glyphs.ts';
import { type Html, html } from './html.ts';
import { siteLink } from './site-link.ts';

/** A problem for the owner's eyes. */
export interface ErrorDetail {
  /** Type of the error. */
  readonly type: string;
  readonly message: string;
  /** What to do. */
  readonly remedy?: string | undefined;
}

/** What the error page shows. */
export interface ErrorPageData {
  readonly theme: Theme;
  /** `?error=`, as it came. */
  readonly error?: string | undefined;
  readonly signInUrl: string;
  /** Address of the site, for the way back. */
  readonly origin: string;
  /** Finds the error in the log. */
  readonly reference?: string | undefined;
  /** For development only: the page tells them to whoever looks. */
  readonly details?: readonly ErrorDetail[] | undefined;
}

/** A page with the status of its response. */
export interface ErrorPage {
  readonly page: Page;
  readonly status: number;
}

/** The error page. What it says depends on the code alone; reasons are in the log. */
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

/** By `?error=`. A `Map`, so that names such as `__proto__` find nothing. */
const situations: ReadonlyMap<string, Situation> = new Map<string, Situation>([
  [
    'Configuration',
    {
      status: 500,
      heading: 'Server error',
      sentences: [
        'Signing in does not work at the moment: there is a problem with the server configuration.',
        'If this is your site, the server log says more.',
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
      sentences: ['This sign-in link is no longer valid.', 'It may have been used already, or it may have expired.'],
      next: 'signIn',
    },
  ],
  [
    'RateLimited',
    {
      status: 429,
      heading: 'Too many attempts',
      sentences: ['That was tried too often.', 'Please wait for some minutes, then try again.'],
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

/** Our messages set names off by backticks. */
function withCode(sentence: string): Html[] {
  return sentence.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`));
}
