import type { Theme } from '../types.ts';
import { webAddress } from './address.ts';
import { type Page, renderDocument } from './document.ts';
import { glyphs } from './glyphs.ts';
import { hiddenField } from './hidden-field.ts';
import { html } from './html.ts';

/** What the page behind a mailed link shows. */
export interface ConfirmEmailPageData {
  readonly theme: Theme;
  /** Absent when the host framework checks the origin itself. */
  readonly csrfToken?: string | undefined;
  /** Where the visitor goes afterwards. */
  readonly callbackUrl: string;
  readonly token: string;
  /** Absent where the link does not tell it. */
  readonly email: string | undefined;
  /** Where the form is posted to. */
  readonly action: string;
}

/** Asks for one more click, which mail scanners do not make. */
export function confirmEmailPage({ theme, csrfToken, callbackUrl, token, email, action }: ConfirmEmailPageData): Page {
  return renderDocument({
    title: 'Sign In',
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>Almost there</h1>
<p class="message">One more click, and you are signed in${email && html` as <strong>${email}</strong>`}.</p>
<p class="message">If you did not ask for this, close the page.</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('token', token)}${hiddenField('email', email)}
<button id="submitButton" type="submit" class="button">Sign in</button>
</form>`,
  });
}
