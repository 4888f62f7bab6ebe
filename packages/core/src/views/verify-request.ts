import type { Language } from '../messages/en.ts';
import type { PageTheme } from '../types/theme.ts';
import {
  glyphs,
  hiddenField,
  type Page,
  pageLanguage,
  renderDocument,
  siteLink,
  typed,
  webAddress,
} from './document.ts';
import { type Html, html } from './html.ts';
import { fill, fromNow, phrase } from './text.ts';

/** The mail that the visitor has requested in this browser. */
export interface RequestedMail {
  /** The address, as it may be shown. */
  readonly address: string;
  /** Name of the provider for which the mail confirms the address. `undefined` if the mail signs in by itself. */
  readonly verifies?: string | undefined;
  /** URL that the code is posted to. `undefined` if the mail has no code, or if it is not valid any more. */
  readonly codeUrl: string | undefined;
  /** The link and the code are not valid any more. Default: `false`. */
  readonly isOver?: boolean | undefined;
  /** URL that the form "Send again" is posted to. */
  readonly resendUrl: string;
  /** Seconds until the mail can be sent again; 0 if it can. */
  readonly secondsToWait: number;
}

/** Data of the page that follows a request for a sign-in link. */
export interface VerifyRequestPageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** Origin of the site, for the link back. */
  readonly origin: string;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  readonly signInUrl: string;
  /** The code was refused. */
  readonly hasError?: boolean | undefined;
  /** The mail had a code when it was requested. */
  readonly hadCode?: boolean | undefined;
  /** `undefined` if this browser has not requested a mail, or if providers do not recognize the browser. */
  readonly mail?: RequestedMail | undefined;
  /** URLs of scripts. Default: none. */
  readonly scripts?: readonly string[] | undefined;
}

/** Returns a page that announces the mail. It is the same for known and unknown addresses. */
export function verifyRequestPage(data: VerifyRequestPageData): Page {
  const { theme, language, origin, hasError = false, scripts } = data;
  const { common, verifyRequest: texts } = language.texts;
  const heading = isOver(data) ? texts.titleOver : texts.title;
  return renderDocument({
    title: hasError ? fill(common.errorTitle, { title: heading }) : heading,
    ...{ theme, scripts },
    language: pageLanguage(language),
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${heading}</h1>
${message(data)}
${choices(data)}
<p class="back">${siteLink(origin)}</p>`,
  });
}

/** Does only a new mail help? */
function isOver({ mail, hasError = false, hadCode = false }: VerifyRequestPageData): boolean {
  return mail ? mail.isOver === true || (hasError && mail.codeUrl === undefined) : hasError || hadCode;
}

/** A wrong code is a message of its form, see {@link codeForm}. */
function message(data: VerifyRequestPageData): Html {
  const { language, mail, hasError } = data;
  const texts = language.texts.verifyRequest;
  const address = mail && typed(mail.address);
  if (isOver(data)) {
    const sentence = mail ? phrase(texts.over, { address }) : html`${texts.otherBrowser}`;
    return html`<div class="${hasError ? 'error' : 'notice'}"${hasError && html` role="alert"`}>${sentence}</div>`;
  }
  if (!mail) return html`<p class="message">${texts.general}</p>`;
  const purpose =
    mail.verifies !== undefined && phrase(texts.purpose, { provider: html`<strong>${mail.verifies}</strong>` });
  const sent = phrase(mail.codeUrl === undefined ? texts.sentLink : texts.sentCode, { address });
  return html`<p class="message">${purpose && html`${purpose} `}${sent}</p>`;
}

function choices(data: VerifyRequestPageData): Html {
  const { language, signInUrl, mail } = data;
  const { signIn, otherAddress } = language.texts.verifyRequest;
  if (!mail && isOver(data)) {
    return html`<div class="choices"><a class="button" href="${webAddress(signInUrl)}">${signIn}</a></div>`;
  }
  return html`${mail?.codeUrl !== undefined && codeForm(mail, mail.codeUrl, data)}${mail && resendForm(mail, data)}<p class="back"><a href="${webAddress(signInUrl)}">${otherAddress}</a></p>`;
}

function codeForm({ address, verifies }: RequestedMail, codeUrl: string, data: VerifyRequestPageData): Html {
  const { language, csrfToken, hasError } = data;
  const texts = language.texts.verifyRequest;
  const problem =
    hasError &&
    html`<p class="error" id="code-error" role="alert">${phrase(texts.wrongCode, { address: typed(address) })}</p>\n`;
  return html`<form action="${webAddress(codeUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}
${problem}<div class="field"><label for="input-code">${texts.code}</label><input id="input-code" class="code" type="text" name="code" dir="ltr" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus${problem && html` aria-invalid="true" aria-describedby="code-error"`}></div>
<button id="submitButton" type="submit" class="button">${verifies === undefined ? texts.signIn : texts.confirm}</button>
</form>
`;
}

function resendForm({ resendUrl, secondsToWait }: RequestedMail, data: VerifyRequestPageData): Html {
  const { language, csrfToken } = data;
  const { wait, sendAgain } = language.texts.verifyRequest;
  // The script of the page counts down.
  const when = html`<span data-seconds="${secondsToWait}">${fromNow(language, secondsToWait)}</span>`;
  return html`<form class="choices" action="${webAddress(resendUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('latchkeyPage', 'signin')}
<button type="submit" class="button${!isOver(data) && ' quiet'}">${sendAgain}</button>
${secondsToWait > 0 && html`<p class="hint">${phrase(wait, { when })}</p>\n`}</form>
`;
}
