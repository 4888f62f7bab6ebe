import { hiddenField, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';

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
  readonly text: string;
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

/** Returns the date of an instant, in UTC. */
export function dateOf(instant: Date): Html {
  const text = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(instant);
  return html`<time datetime="${instant.toISOString()}">${text}</time>`;
}

/** Returns a text around a date, which stands for `{date}`. */
export function withDate(text: string, instant: Date): Html {
  const [before = '', after = ''] = text.split('{date}');
  return html`<p>${before}${dateOf(instant)}${after}</p>`;
}
