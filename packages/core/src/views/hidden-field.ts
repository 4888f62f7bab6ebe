import { type Html, html } from './html.ts';

/** A field that the visitor does not see; none without a value. */
export function hiddenField(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}
