import type { MailRequester, Theme } from '../types/provider.ts';
import { glyphs, hiddenField, type Page, renderDocument, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { agentInWords } from './requester.ts';
import { timeInWords } from './time.ts';

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
  /** Who requested the mail, according to the link. `undefined` if the link does not say it. */
  readonly asked?: MailRequester | undefined;
  /** The time of the request. */
  readonly now: Date;
  /** The mail also has a code, for the browser that requested it. */
  readonly hasCode: boolean;
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
  asked,
  now,
  hasCode,
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
}${asked && requester(asked, now)}<p class="message">If you did not ask for this, close the page.</p>
${hasCode && html`<p class="message">To sign in on another device, type the code from the email there.</p>`}
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('token', token)}${hiddenField('email', email)}
<button id="submitButton" type="submit" class="button">Sign in</button>
</form>`,
  });
}

function requester(asked: MailRequester, now: Date): Html {
  const seconds = Math.max(0, (now.getTime() - asked.at.getTime()) / 1000);
  return html`<p class="message">Requested ${timeInWords(seconds)} ago${agentInWords(asked)}.</p>
`;
}
