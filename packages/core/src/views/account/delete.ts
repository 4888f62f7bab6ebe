import type { Language } from '../../messages/en.ts';
import type { PageTheme } from '../../types/theme.ts';
import { glyphs, hiddenField, type Page, pageLanguage, renderDocument, typed, webAddress } from '../document.ts';
import { html } from '../html.ts';
import { phrase } from '../text.ts';

/** Data of the page that asks whether to delete the account. */
export interface DeletePageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** The text to type: the address or the name. */
  readonly confirmation: string;
  /** URL that the form is posted to. */
  readonly action: string;
  /** URL of the page of the account. */
  readonly accountUrl: string;
}

/** Returns the page that asks whether to delete the account. */
export function deletePage({ theme, language, csrfToken, confirmation, action, accountUrl }: DeletePageData): Page {
  const { account, deleteAccount } = language.texts;
  return renderDocument({
    title: account.delete,
    theme,
    language: pageLanguage(language),
    kind: 'signout',
    content: html`${glyphs.problem}
<h1>${account.delete}</h1>
<p class="message">${deleteAccount.effect}</p>
<form action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}
<div class="field"><label for="input-confirm">${phrase(deleteAccount.label, { text: typed(confirmation) })}</label><input id="input-confirm" type="text" name="confirm" autocomplete="off" maxlength="320" required></div>
<button id="submitButton" type="submit" class="button">${deleteAccount.submit}</button>
</form>
<p class="back"><a href="${webAddress(accountUrl)}">${account.back}</a></p>`,
  });
}
