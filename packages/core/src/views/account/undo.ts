import type { Theme } from '../../types/provider.ts';
import { glyphs, hiddenField, type Page, renderDocument, siteLink, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';

/** The texts of this page. `{from}` and `{to}` are addresses. */
const texts: Readonly<Record<UndoResult | 'email' | 'way' | 'button' | 'title' | 'note', string>> = {
  title: 'Undo the change',
  email:
    'Your account gets the address {from} back in the place of {to}. Ways to sign in that were added since are removed. All sessions end.',
  way: 'The way to sign in that was added is removed from your account. All sessions end.',
  button: 'Undo the change',
  note: 'If you made the change yourself, close the page.',
  restored:
    'Your account has the address {from} again. Ways to sign in that were added since are removed. All sessions have ended.',
  taken:
    'Another account has the address {from} now, so yours did not get it back. All sessions of your account have ended. Delete the other account, or give it another address, and open the link again.',
  removed: 'The way to sign in is removed. All sessions of your account have ended.',
  last: 'It is the only way to sign in to your account, so it was not removed. All sessions of your account have ended.',
  gone: 'The account does not exist any more.',
  stale: 'The address was restored before. Nothing has changed.',
  invalid: 'The link was used before, has expired, or is not complete.',
};

/** The titles of the page afterward. */
const titles: Readonly<Record<'done' | 'notDone', string>> = {
  done: 'The change is undone',
  notDone: 'The change is not undone',
};

/** The result of an undo; `invalid` if the link could not be used. */
export type UndoResult = 'restored' | 'taken' | 'removed' | 'last' | 'gone' | 'stale' | 'invalid';

/** Data of the page that an undo link opens. */
export interface UndoPageData {
  readonly theme: Theme;
  /** Origin of the site, for the link back. */
  readonly origin: string;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  readonly what: 'email' | 'way';
  readonly from: string;
  readonly to: string;
  readonly statement: string;
  /** URL that the form is posted to. */
  readonly action: string;
}

/** Returns the page that asks for one more click. Mail scanners follow links, but do not press buttons. */
export function undoPage({ theme, csrfToken, what, from, to, statement, action }: UndoPageData): Page {
  return renderDocument({
    title: texts.title,
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${texts.title}</h1>
<p class="message">${filled(texts[what], { from, to })}</p>
<p class="message">${texts.note}</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('statement', statement)}
<button id="submitButton" type="submit" class="button">${texts.button}</button>
</form>`,
  });
}

/** Returns the page that says what an undo has done. */
export function undonePage({
  theme,
  origin,
  result,
  from,
}: Pick<UndoPageData, 'theme' | 'origin' | 'from'> & { readonly result: UndoResult }): Page {
  const isDone = result === 'restored' || result === 'removed';
  const title = isDone ? titles.done : titles.notDone;
  return renderDocument({
    title,
    theme,
    kind: 'verify-request',
    content: html`${isDone ? glyphs.mail : glyphs.problem}
<h1>${title}</h1>
<p class="message"${!isDone && html` role="alert"`}>${filled(texts[result], { from })}</p>
<p class="back">${siteLink(origin)}</p>`,
  });
}

/** Returns a text with its values in bold. */
function filled(text: string, values: Readonly<Record<string, string>>): Html[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<strong>${values[part]}</strong>`));
}
