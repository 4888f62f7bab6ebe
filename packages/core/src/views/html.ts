/**
 * A fragment of HTML in which everything foreign has been escaped. Only {@link html} and {@link styleElement} make one:
 * the class is not exported and its text is private, so neither JSON nor a cast-free program can forge it.
 */
class SafeHtml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text of a fragment; `null` for anything else, whatever its prototype or `toString` pretends. */
  static textOf(value: object): string | null {
    return #text in value ? value.#text : null;
  }

  toString(): string {
    return this.#text;
  }
}

/** A fragment that may be put into a page as it is. */
export type Html = SafeHtml;

/** What a template may hold: text is escaped, fragments stay, lists are joined, absent values leave nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/**
 * Template tag. Interpolate only into text and into double-quoted attribute values; both are safe for any string.
 *
 * @throws {TypeError} when it is called as a function, with text that nobody has escaped.
 */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  if (!Array.isArray(template) || !Object.hasOwn(template, 'raw')) {
    throw new TypeError('html is a template tag: write it before the text, so that values are escaped');
  }
  let text = template[0] ?? '';
  values.forEach((value, index) => {
    text += toText(value) + (template[index + 1] ?? '');
  });
  return new SafeHtml(text);
}

/**
 * A `<style>` element. Its content is not escaped, since browsers do not decode entities there.
 *
 * @throws {TypeError} when `css` contains `<`, the one character that can end the element.
 */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('a style sheet must not contain "<"');
  return new SafeHtml(`<style>${css}</style>`);
}

function toText(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(toText).join('');
  const fragment = typeof value === 'object' ? SafeHtml.textOf(value) : null;
  return fragment ?? escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
