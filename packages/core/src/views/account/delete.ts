import type { Theme } from '../../types/provider.ts';
import { glyphs, hiddenField, type Page, renderDocument, webAddress } from '../document.ts';
import { html } from '../html.ts';

/** The texts of this page. */
const texts = {
  title: 'Delete your account',
  effect: 'Your account and its ways to sign in are deleted. This cannot be undone.',
  label: 'To confirm, type',
  button: 'Delete the account',
  back: 'Back to your account',
} as const;

/** Data of the page that asks whether to delete the account. */
export interface DeletePageData {
  readonly theme: Theme;
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
export function deletePage({ theme, csrfToken, confirmation, action, accountUrl }: DeletePageData): Page {
  return renderDocument({
    title: texts.title,
    theme,
    kind: 'signout',
    content: html`${glyphs.problem}
<h1>${texts.title}</h1>
<p class="message">${texts.effect}</p>
<form action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}
<div class="field"><label for="input-confirm">${texts.label} <strong>${confirmation}</strong></label><input id="input-confirm" type="text" name="confirm" autocomplete="off" maxlength="320" required></div>
<button id="submitButton" type="submit" class="button">${texts.button}</button>
</form>
<p class="back"><a href="${webAddress(accountUrl)}">${texts.back}</a></p>`,
  });
}
