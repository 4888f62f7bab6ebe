import type { Language } from '../messages/en.ts';
import type { MailRequester, VerifiedProvider } from '../types/provider.ts';
import type { PageTheme } from '../types/theme.ts';
import { glyphs, hiddenField, type Page, pageLanguage, renderDocument, typed, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { agentText } from './requester.ts';
import { ago, fill, phrase } from './text.ts';

/** Data of the page that a sign-in link opens. */
export interface ConfirmEmailPageData {
  readonly theme: PageTheme;
  readonly language: Language;
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
  /** URLs of scripts. Default: none. */
  readonly scripts?: readonly string[] | undefined;
}

/** Returns a page that asks for one more click. Mail scanners follow links, but do not press buttons. */
export function confirmEmailPage(data: ConfirmEmailPageData): Page {
  const { theme, language, csrfToken, callbackUrl, token, email, signedInAs, verifies, isAsker, action, scripts } =
    data;
  const texts = language.texts.confirmEmail;
  return renderDocument({
    title: texts.title,
    ...{ theme, scripts },
    language: pageLanguage(language),
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${texts.title}</h1>
<p class="message">${effect(data)}</p>
${signedInAs !== undefined && html`<p class="message">${phrase(texts.sessionEnds, { user: typed(signedInAs) })}</p>\n`}<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('token', token)}${hiddenField('email', email)}${hiddenField('verifies', verifies?.provider)}
<button id="submitButton" type="submit" class="button">${verifies && isAsker ? texts.confirm : texts.submit}</button>
</form>
<div class="hint">${requester(data)}<p>${texts.notYou}</p>${codeHint(data)}</div>`,
  });
}

/** Describes the effect of the button. Only the browser that asked continues a sign-in with another provider. */
function effect({ language, email, verifies, isAsker }: ConfirmEmailPageData): Html {
  const { confirms, signIn, signInAs, signInWithout } = language.texts.confirmEmail;
  const values = { address: email && typed(email), provider: verifies && html`<strong>${verifies.name}</strong>` };
  if (verifies) return phrase(isAsker ? confirms : signInWithout, values);
  return email === undefined ? html`${signIn}` : phrase(signInAs, values);
}

function codeHint({ language, hasCode, verifies, isAsker }: ConfirmEmailPageData): Html | false {
  const { codeElsewhere, codeToContinue } = language.texts.confirmEmail;
  if (verifies && !isAsker)
    return html`<p>${phrase(codeToContinue, { provider: html`<strong>${verifies.name}</strong>` })}</p>`;
  return hasCode && html`<p>${codeElsewhere}</p>`;
}

function requester({ language, asked, now }: ConfirmEmailPageData): Html | undefined {
  if (!asked) return undefined;
  const { requested, requestedBy } = language.texts.confirmEmail;
  const when = ago(language, (now.getTime() - asked.at.getTime()) / 1000);
  const agent = agentText(language, asked);
  return html`<p>${agent === undefined ? fill(requested, { when }) : fill(requestedBy, { when, agent })}</p>`;
}
