import type { Language } from '../messages/en.ts';
import type { PageTheme } from '../types/theme.ts';
import { glyphs, hiddenField, type Page, pageLanguage, renderDocument, typed, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { fill, phrase } from './text.ts';

/** Data of the sign-out page. */
export interface SignOutPageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** Address or name of the signed-in user. Default: the page does not name the user. */
  readonly user?: string | undefined;
  /** URL that the form is posted to. */
  readonly signOutUrl: string;
  /** URL that a form is posted to which ends all sessions of the visitor. Default: the page has no such form. */
  readonly sessionsUrl?: string | undefined;
  /** URL that all choices lead to. Default: `/`. */
  readonly callbackUrl?: string | undefined;
  /** URLs of scripts. Default: none. */
  readonly scripts?: readonly string[] | undefined;
}

/** Returns a page that asks for confirmation, because following a link must not sign out. */
export function signOutPage(data: SignOutPageData): Page {
  const { theme, language, csrfToken, user, signOutUrl, sessionsUrl, callbackUrl, scripts } = data;
  const texts = language.texts.signOut;
  const title = theme.name ? fill(texts.titleOf, { name: theme.name }) : texts.title;
  const hidden = html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}`;
  return renderDocument({
    ...{ title, theme, scripts },
    language: pageLanguage(language),
    kind: 'signout',
    content: html`${glyphs.leave}
<h1>${title}</h1>
${user !== undefined && html`<p class="message">${phrase(texts.as, { user: typed(user) })}</p>\n`}<div class="choices">
<form action="${webAddress(signOutUrl)}" method="POST">${hidden}
<button id="submitButton" type="submit" class="button">${texts.submit}</button>
</form>${sessionsUrl !== undefined && everywhereForm(sessionsUrl, texts.everywhere, hidden)}
<a class="button quiet" href="${webAddress(callbackUrl ?? '/')}">${texts.stay}</a>
</div>`,
  });
}

function everywhereForm(sessionsUrl: string, text: string, hidden: Html): Html {
  return html`
<form action="${webAddress(sessionsUrl)}" method="POST">${hidden}${hiddenField('end', 'all')}
<button type="submit" class="button quiet">${text}</button>
</form>`;
}
