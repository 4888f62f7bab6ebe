import type { PageTheme } from '../types/theme.ts';
import { glyphs, hiddenField, type Page, renderDocument, siteLink, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { timeInWords } from './time.ts';

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
}

/** Returns a page that announces the mail. It is the same for known and unknown addresses. */
export function verifyRequestPage(data: VerifyRequestPageData): Page {
  const { theme, origin, mail } = data;
  const heading = isOver(data) ? 'Request a new email' : 'Check your email';
  return renderDocument({
    title: heading,
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${heading}</h1>
${message(data)}
${mail?.codeUrl !== undefined && codeForm(mail.codeUrl, mail.verifies === undefined ? 'Sign in' : 'Confirm', data)}${mail && resendForm(mail, data)}
<p class="back">${siteLink(origin)}</p>`,
  });
}

/** Does only a new mail help? */
function isOver({ mail, hasError = false, hadCode = false }: VerifyRequestPageData): boolean {
  return mail ? mail.isOver === true || (hasError && mail.codeUrl === undefined) : hasError || hadCode;
}

function message(data: VerifyRequestPageData): Html {
  if (data.hasError || isOver(data)) return problem(data);
  return data.mail ? announcement(data.mail) : general;
}

const general = html`<p class="message">A sign-in link has been sent to your email address. It may take a minute to arrive. If it does not, check your spam folder.</p>`;

function announcement({ address, codeUrl, verifies }: RequestedMail): Html {
  const purpose =
    verifies !== undefined && html`To continue with <strong>${verifies}</strong>, confirm your email address. `;
  const content = codeUrl === undefined ? 'A sign-in link has' : 'A link and a code have';
  return html`<p class="message">${purpose}${content} been sent to <strong>${address}</strong>. It may take a minute until the email arrives. If it does not, check your spam folder.</p>`;
}

function problem({ mail, signInUrl, hasError = false }: VerifyRequestPageData): Html {
  if (mail?.codeUrl !== undefined) {
    return html`<p class="message" role="alert">This is not the code in the newest email to <strong>${mail.address}</strong>. Check it, and try again.</p>`;
  }
  if (mail) {
    return html`<p class="message" role="alert">The code is no longer valid. It was mistyped too often, or the email has been used. Request a new email to <strong>${mail.address}</strong>.</p>`;
  }
  return html`<p class="message"${hasError && html` role="alert"`}>This browser does not wait for a code any more. The email has been used or has expired, or another browser requested it.</p>
<div class="choices"><a class="button" href="${webAddress(signInUrl)}">Sign in</a></div>`;
}

function codeForm(action: string, button: string, { csrfToken }: VerifyRequestPageData): Html {
  return html`<form action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}
<div class="field"><label for="input-code">Code from the email</label><input id="input-code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required></div>
<button id="submitButton" type="submit" class="button">${button}</button>
</form>
`;
}

function resendForm({ resendUrl, secondsToWait }: RequestedMail, data: VerifyRequestPageData): Html {
  const { csrfToken, signInUrl } = data;
  return html`<form class="choices" action="${webAddress(resendUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}
${secondsToWait > 0 && html`<p class="message">The email can be sent again in ${timeInWords(secondsToWait)}.</p>`}
<button type="submit" class="button${!isOver(data) && ' quiet'}">Send again</button>
</form>
<p class="back"><a href="${webAddress(signInUrl)}">Use another address</a></p>`;
}
