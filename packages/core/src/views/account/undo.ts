import type { Language } from '../../messages/en.ts';
import type { PageTheme } from '../../types/theme.ts';
import {
  glyphs,
  hiddenField,
  type Page,
  pageLanguage,
  renderDocument,
  siteLink,
  typed,
  webAddress,
} from '../document.ts';
import { html } from '../html.ts';
import { phrase } from '../text.ts';

/** The result of an undo; `invalid` if the link could not be used. */
export type UndoResult = 'restored' | 'taken' | 'removed' | 'last' | 'gone' | 'stale' | 'invalid';

/** Data of the page that an undo link opens. */
export interface UndoPageData {
  readonly theme: PageTheme;
  readonly language: Language;
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
export function undoPage({ theme, language, csrfToken, what, from, to, statement, action }: UndoPageData): Page {
  const { undo } = language.texts;
  return renderDocument({
    title: undo.title,
    theme,
    language: pageLanguage(language),
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>${undo.title}</h1>
<p class="message">${phrase(undo[what], { from: typed(from), to: typed(to) })}</p>
<p class="message">${undo.note}</p>
<form class="choices" action="${webAddress(action)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('statement', statement)}
<button id="submitButton" type="submit" class="button">${undo.title}</button>
</form>`,
  });
}

/** Data of the page that says what an undo has done. */
export interface UndonePageData extends Pick<UndoPageData, 'theme' | 'language' | 'origin' | 'from'> {
  readonly result: UndoResult;
}

/** Returns the page that says what an undo has done. */
export function undonePage({ theme, language, origin, result, from }: UndonePageData): Page {
  const { undo } = language.texts;
  const isDone = result === 'restored' || result === 'removed';
  const title = isDone ? undo.done : undo.notDone;
  return renderDocument({
    title,
    theme,
    language: pageLanguage(language),
    kind: 'verify-request',
    content: html`${isDone ? glyphs.mail : glyphs.problem}
<h1>${title}</h1>
<p class="message"${!isDone && html` role="alert"`}>${phrase(undo[result], { from: typed(from) })}</p>
<p class="back">${siteLink(origin)}</p>`,
  });
}
