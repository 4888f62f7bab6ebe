import type { MailRequester, VerifiedProvider } from '../types/provider.ts';
import type { PageTheme } from '../types/theme.ts';
import { glyphs, hiddenField, type Page, renderDocument, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { agentInWords } from './requester.ts';
import { timeInWords } from './time.ts';

/** Data of the page that a sign-in link opens. */
export interface ConfirmEmailPageData {
  readonly theme: PageTheme;
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
  /** The provider for which the link confirms the address. `undefined` if the link signs in by itself. */
  readonly verifies?: VerifiedProvider | undefined;
  /** The browser has requested the mail. */
  readonly isAsker: boolean;
  /** URL that the form is posted to. */
  readonly action: string;
}

/** Returns a page that asks for one more click. Mail scanners follow links, but do not press buttons. */
export function confirmEmailPage(data: ConfirmEmailPageData): Page {
  const { theme, csrfToken, callbackUrl, token, email, signedInAs, asked, now, verifies, isAsker, action } = data;
  return renderDocument({
    title: 'Sign In',
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>Almost there</h1>
${effect(data)}
${
  signedInAs !== undefined &&
  html`<p class="message">You are signed in as <strong>${signedInAs}</strong>. That session ends.</p>
`
}${asked && requester(asked, now)}<p class="message">If you did not ask for this, close the page.</p>
${codeHint(data)}
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('token', token)}${hiddenField('email', email)}${hiddenField('verifies', verifies?.provider)}
<button id="submitButton" type="submit" class="button">${verifies && isAsker ? 'Confirm' : 'Sign in'}</button>
</form>`,
  });
}

/** Describes the effect of the button. Only the browser that asked continues a sign-in with another provider. */
function effect({ email, verifies, isAsker }: ConfirmEmailPageData): Html {
  if (verifies && isAsker) {
    return html`<p class="message">One more click confirms <strong>${email}</strong>, and you continue with <strong>${verifies.name}</strong>.</p>`;
  }
  return html`<p class="message">One more click, and you are signed in${email && html` as <strong>${email}</strong>`}${verifies && html` in this browser, without <strong>${verifies.name}</strong>`}.</p>`;
}

function codeHint({ hasCode, verifies, isAsker }: ConfirmEmailPageData): Html | false {
  if (verifies && !isAsker) {
    return html`<p class="message">To continue with <strong>${verifies.name}</strong>, type the code from the email in the browser where you started. Do this only if you started it.</p>`;
  }
  return hasCode && html`<p class="message">To sign in on another device, type the code from the email there.</p>`;
}

function requester(asked: MailRequester, now: Date): Html {
  const seconds = Math.max(0, (now.getTime() - asked.at.getTime()) / 1000);
  return html`<p class="message">Requested ${timeInWords(seconds)} ago${agentInWords(asked)}.</p>
`;
}
