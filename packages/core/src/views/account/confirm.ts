import type { Theme } from '../../types/provider.ts';
import { glyphs, hiddenField, type Page, renderDocument, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';

/** The texts of this page. */
const texts = {
  title: 'Confirm your new address',
  mailed: 'A link and a code have been sent to',
  wait: 'It may take a minute until the email arrives. If it does not, check your spam folder.',
  wrong: 'This is not the code in the newest email. Check it, and try again.',
  label: 'Code from the email',
  button: 'Confirm the address',
  opened: 'One more click, and your account has the address',
  sessions: 'You stay signed in here. Your other sessions end.',
  otherBrowser:
    'This browser does not wait for a new address of the user who is signed in here. Open the link in the browser where you asked for the change, signed in as the same user. Or type the code from the email there.',
  back: 'Back to your account',
} as const;

/** Data of the page on which a new address is confirmed. */
export interface ConfirmAddressPageData {
  readonly theme: Theme;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** The new address; `undefined` if no change waits in this browser for the user who is signed in. */
  readonly address: string | undefined;
  /** The token of the link that was opened; `undefined` if the visitor has to type the code. */
  readonly token?: string | undefined;
  /** The code was refused. */
  readonly hasError: boolean;
  /** URL that the form is posted to. */
  readonly action: string;
  /** URL of the page of the account. */
  readonly accountUrl: string;
}

/** Returns the page that asks for the code, or for one more click if the link was opened. */
export function confirmAddressPage(data: ConfirmAddressPageData): Page {
  const { theme, address, token, accountUrl } = data;
  return renderDocument({
    title: texts.title,
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${texts.title}</h1>
${address === undefined ? html`<p class="message" role="alert">${texts.otherBrowser}</p>` : token === undefined ? codeForm(address, data) : linkForm(address, token, data)}
<p class="back"><a href="${webAddress(accountUrl)}">${texts.back}</a></p>`,
  });
}

function codeForm(address: string, { csrfToken, hasError, action }: ConfirmAddressPageData): Html {
  return html`${
    hasError
      ? html`<p class="message" role="alert">${texts.wrong}</p>`
      : html`<p class="message">${texts.mailed} <strong>${address}</strong>. ${texts.wait}</p>`
  }
<form action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}
<div class="field"><label for="input-code">${texts.label}</label><input id="input-code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required></div>
<button id="submitButton" type="submit" class="button">${texts.button}</button>
</form>`;
}

function linkForm(address: string, token: string, { csrfToken, action }: ConfirmAddressPageData): Html {
  return html`<p class="message">${texts.opened} <strong>${address}</strong>. ${texts.sessions}</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('token', token)}
<button id="submitButton" type="submit" class="button">${texts.button}</button>
</form>`;
}
