import type { Language } from '../../messages/en.ts';
import type { PageTheme } from '../../types/theme.ts';
import { glyphs, hiddenField, type Page, pageLanguage, renderDocument, typed, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import { phrase } from '../text.ts';

/** Data of the page on which a new address is confirmed. */
export interface ConfirmAddressPageData {
  readonly theme: PageTheme;
  readonly language: Language;
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
  const { theme, language, accountUrl } = data;
  const { newAddress, account } = language.texts;
  return renderDocument({
    title: newAddress.title,
    theme,
    language: pageLanguage(language),
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${newAddress.title}</h1>
${form(data)}
<p class="back"><a href="${webAddress(accountUrl)}">${account.back}</a></p>`,
  });
}

function form(data: ConfirmAddressPageData): Html {
  const { language, address, token } = data;
  if (address === undefined) {
    return html`<p class="message" role="alert">${language.texts.newAddress.otherBrowser}</p>`;
  }
  return token === undefined ? codeForm(address, data) : linkForm(address, token, data);
}

function codeForm(address: string, { language, csrfToken, hasError, action }: ConfirmAddressPageData): Html {
  const { verifyRequest, newAddress } = language.texts;
  const text = phrase(hasError ? verifyRequest.wrongCode : verifyRequest.sentCode, { address: typed(address) });
  return html`<p class="message"${hasError && html` role="alert"`}>${text}</p>
<form action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}
<div class="field"><label for="input-code">${verifyRequest.code}</label><input id="input-code" class="code" type="text" name="code" dir="ltr" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required></div>
<button id="submitButton" type="submit" class="button">${newAddress.submit}</button>
</form>`;
}

function linkForm(address: string, token: string, { language, csrfToken, action }: ConfirmAddressPageData): Html {
  const { opened, sessions, submit } = language.texts.newAddress;
  return html`<p class="message">${phrase(opened, { address: typed(address) })} ${sessions}</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('token', token)}
<button id="submitButton" type="submit" class="button">${submit}</button>
</form>`;
}
