import type { Theme } from '../types/provider.ts';
import { glyphs, hiddenField, type Page, renderDocument, siteLink, webAddress } from './document.ts';
import { html } from './html.ts';

/** Data of the page that a sign-in link opens. */
export interface ConfirmEmailPageData {
  readonly theme: Theme;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the visitor is redirected to afterward. */
  readonly callbackUrl: string;
  readonly token: string;
  /** The address. `undefined` if the link does not contain it. */
  readonly email: string | undefined;
  /** Address or name of the user whose session would end. `undefined` if no other user is signed in. */
  readonly signedInAs?: string | undefined;
  /** URL that the form is posted to. */
  readonly action: string;
}

/** Returns a page that asks for one more click. Mail scanners follow links, but do not press buttons. */
export function confirmEmailPage({
  theme,
  csrfToken,
  callbackUrl,
  token,
  email,
  signedInAs,
  action,
}: ConfirmEmailPageData): Page {
  return renderDocument({
    title: 'Sign In',
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>Almost there</h1>
<p class="message">One more click, and you are signed in${email && html` as <strong>${email}</strong>`}.</p>
${
  signedInAs !== undefined &&
  html`<p class="message">You are signed in as <strong>${signedInAs}</strong>. That session ends.</p>
`
}<p class="message">If you did not ask for this, close the page.</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('token', token)}${hiddenField('email', email)}
<button id="submitButton" type="submit" class="button">Sign in</button>
</form>`,
  });
}

/** Data of the page that follows a request for a sign-in link. */
export interface VerifyRequestPageData {
  readonly theme: Theme;
  /** Origin of the site, for the link back. */
  readonly origin: string;
}

/** Returns a page that announces the mail. It is the same for known and unknown addresses. */
export function verifyRequestPage({ theme, origin }: VerifyRequestPageData): Page {
  return renderDocument({
    title: 'Verify Request',
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>Check your email</h1>
<p class="message">A sign-in link has been sent to your email address. It may take a minute to arrive. If it does not, check your spam folder.</p>
<p class="back">${siteLink(origin)}</p>`,
  });
}
