/**
 * A fragment of HTML with escaped values. Only the functions of this file can create one: the class is not exported,
 * and its text is private. JSON, or a program without casts, cannot forge it.
 */
class SafeHtml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text of a fragment, or `null` for another object, even if that has the prototype of a fragment. */
  static textOf(value: object): string | null {
    return #text in value ? value.#text : null;
  }

  toString(): string {
    return this.#text;
  }
}

/** A fragment of HTML that is safe to insert into a page. */
export type Html = SafeHtml;

/** A value in a template. Text is escaped, fragments are inserted, lists are joined, and absent values are left out. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/**
 * Returns a fragment from a template literal. Interpolate only into text and into double-quoted attribute values. Both
 * are safe for any string.
 *
 * @example html`<a href="${webAddress(url)}">${name}</a>`
 * @throws {TypeError} if it is called as a function, because that text would not be escaped.
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
 * Returns a `<style>` element. Its content is not escaped, because browsers do not decode entities there.
 *
 * @throws {TypeError} if `css` contains `<`, the one character that can end the element.
 */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('a style sheet must not contain "<"');
  return new SafeHtml(`<style>${css}</style>`);
}

/** Returns a placeholder for {@link template}. Escaped text cannot contain one, because it has no `<`. */
export function hole(name: string): Html {
  return new SafeHtml(`<!--${name}-->`);
}

/**
 * Compiles a text with placeholders, so that a page is rendered once and filled for each request.
 *
 * @returns A function that takes the values by name and returns the text. Values are escaped.
 */
export function template(text: string): (values: Readonly<Record<string, HtmlValue>>) => string {
  const pieces = text.split(/<!--(\w+)-->/);
  return (values) => {
    const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toText(value)]));
    return pieces.map((piece, index) => (index % 2 === 0 ? piece : filled[piece])).join('');
  };
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
