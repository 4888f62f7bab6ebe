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

/** Stands for what each request brings. No foreign text can look like it: its `<` would have been escaped. */
export function hole(name: string): Html {
  return new SafeHtml(`<!--${name}-->`);
}

/**
 * Fills the holes of a text that is written once: the text is cut up now, so that to fill it is to join its pieces.
 *
 * @returns takes the holes' values; text is escaped.
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
