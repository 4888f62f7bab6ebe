import type { Language } from '../../messages/en.ts';
import { hiddenField, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import { dayOf, phrase } from '../text.ts';

/** The members of the page that each form needs. */
export interface FormData {
  readonly csrfToken?: string | undefined;
  readonly partUrl: (part: string) => string;
}

/** A form of one part of the account. */
export interface PartForm {
  /** The part to which it is posted. */
  readonly part: string;
  /** The text of its button. */
  readonly text: string | Html;
  /** The name of the button for screen readers, if its text alone is ambiguous. It begins with the text. */
  readonly label?: string | undefined;
  /** Hidden fields. Default: none. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  /** Visible fields. Default: none. */
  readonly fields?: Html;
}

/** Returns the form of a part. */
export function partForm({ csrfToken, partUrl }: FormData, { part, text, label, hidden = {}, fields }: PartForm): Html {
  const values = Object.entries({ csrfToken, ...hidden }).map(([name, value]) => hiddenField(name, value));
  return html`
<form action="${webAddress(partUrl(part))}" method="POST">${values}${fields}
<button type="submit" class="button quiet"${label !== undefined && html` aria-label="${label}"`}>${text}</button>
</form>`;
}

/** Returns a text around a day in UTC, which stands for `{date}`. */
export function withDate(language: Language, text: string, instant: Date): Html {
  const date = html`<time datetime="${instant.toISOString()}">${dayOf(language, instant)}</time>`;
  return html`<p>${phrase(text, { date })}</p>`;
}
