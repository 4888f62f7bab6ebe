import { type HtmlToken, readHtml } from './html.ts';

/** A form of a page. */
export interface Form {
  /** The absolute URL of the action. */
  readonly action: string;
  /** The method of the form. Default: `GET`, as in HTML. */
  readonly method: 'GET' | 'POST';
  /** The encoding of the form. Default: `application/x-www-form-urlencoded`, as in HTML. */
  readonly enctype: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  /** The `id` of the form; `undefined` if it lacks the attribute. */
  readonly id: string | undefined;
  /** The address of the page; the browser derives `Origin` from it. */
  readonly url: string;
  /** The inputs, text areas and selects with a name, in order, without buttons. */
  readonly fields: readonly FormField[];
  /** The submit buttons, in order. */
  readonly buttons: readonly FormButton[];
  /** Returns the value of the first field of this name; `undefined` if the form lacks it. */
  value(name: string): string | undefined;
}

/** An input of a {@link Form}. */
export interface FormField {
  /** Name of the field in the posted form. */
  readonly name: string;
  /** The type of the input, such as `text` or `hidden`; or `textarea` or `select`. */
  readonly type: string;
  /** The value; of a text area its text, of a `select` the selected option. */
  readonly value: string;
  /** Whether the form sends the field: false for an unchecked box or radio button, and for a disabled input. */
  readonly sent: boolean;
}

/** A submit button of a {@link Form}. */
export interface FormButton {
  /** Empty if the button does not send a value. */
  readonly name: string;
  /** The value that the form sends if the button submits it. */
  readonly value: string;
  /** The label, with collapsed white space. */
  readonly text: string;
  /** The absolute URL of `formaction`, if the button has one. */
  readonly action: string | undefined;
  /** `formmethod`, if the button has one. */
  readonly method: 'GET' | 'POST' | undefined;
}

type OpenTag = Extract<HtmlToken, { kind: 'open' }>;

/**
 * Returns the forms of a page. The inputs must be inside the form element: the attribute `form="id"` is ignored. Pure.
 */
export function parseForms(html: string, url: string): Form[] {
  const tokens = readHtml(html);
  return tokens.flatMap((token, start) => {
    if (token.kind !== 'open' || token.name !== 'form') return [];
    const length = tokens
      .slice(start)
      .findIndex(({ kind, ...rest }) => kind === 'close' && 'name' in rest && rest.name === 'form');
    return [readForm(token, tokens.slice(start + 1, length < 0 ? undefined : start + length), url)];
  });
}

function readForm({ attributes }: OpenTag, inside: readonly HtmlToken[], url: string): Form {
  const fields = inside.flatMap((token, at) => readField(token, inside.slice(at + 1)));
  return {
    action: new URL(attributes.get('action') || url, url).href,
    method: readMethod(attributes.get('method')) ?? 'GET',
    enctype:
      attributes.get('enctype') === 'multipart/form-data' ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    id: attributes.get('id'),
    url,
    fields,
    buttons: inside.flatMap((token, at) => readButton(token, inside.slice(at + 1), url)),
    value: (name) => fields.find((field) => field.name === name)?.value,
  };
}

function readField(token: HtmlToken, after: readonly HtmlToken[]): FormField[] {
  if (token.kind !== 'open') return [];
  const { attributes } = token;
  const name = attributes.get('name');
  if (!name) return [];
  const enabled = !attributes.has('disabled');
  switch (token.name) {
    case 'textarea':
      // HTML ignores a line break directly after the tag.
      return [{ name, type: 'textarea', value: textUntil('textarea', after).replace(/^\r?\n/, ''), sent: enabled }];
    case 'select':
      return [{ name, type: 'select', value: chosenOption(after), sent: enabled }];
    case 'input':
      return readInput(name, attributes, enabled);
    default:
      return [];
  }
}

function readInput(name: string, attributes: ReadonlyMap<string, string>, enabled: boolean): FormField[] {
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  if (isButtonType(type) || type === 'button' || type === 'reset') return [];
  const tickable = type === 'checkbox' || type === 'radio';
  const value = attributes.get('value') ?? (tickable ? 'on' : '');
  return [{ name, type, value, sent: enabled && (!tickable || attributes.has('checked')) }];
}

function readButton(token: HtmlToken, after: readonly HtmlToken[], url: string): FormButton[] {
  if (token.kind !== 'open') return [];
  const { attributes } = token;
  const type = attributes.get('type')?.toLowerCase();
  const submits =
    token.name === 'button' ? type === undefined || type === 'submit' : token.name === 'input' && isButtonType(type);
  if (!submits || attributes.has('disabled')) return [];
  const action = attributes.get('formaction');
  const value = attributes.get('value') ?? '';
  return [
    {
      name: attributes.get('name') ?? '',
      value,
      text:
        token.name === 'button'
          ? textUntil('button', after).replace(/\s+/g, ' ').trim()
          : value || (attributes.get('alt') ?? ''),
      action: action === undefined ? undefined : new URL(action, url).href,
      method: readMethod(attributes.get('formmethod')),
    },
  ];
}

function isButtonType(type: string | undefined): boolean {
  return type === 'submit' || type === 'image';
}

function readMethod(text: string | undefined): 'GET' | 'POST' | undefined {
  const method = text?.toUpperCase();
  return method === 'GET' || method === 'POST' ? method : undefined;
}

function chosenOption(after: readonly HtmlToken[]): string {
  const end = after.findIndex((token) => token.kind === 'close' && token.name === 'select');
  const options = after.slice(0, end < 0 ? undefined : end).flatMap((token, at) => {
    if (token.kind !== 'open' || token.name !== 'option') return [];
    const label = textUntil('option', after.slice(at + 1)).trim();
    return [{ value: token.attributes.get('value') ?? label, selected: token.attributes.has('selected') }];
  });
  return (options.find(({ selected }) => selected) ?? options[0])?.value ?? '';
}

function textUntil(name: string, tokens: readonly HtmlToken[]): string {
  const end = tokens.findIndex((token) => token.kind === 'close' && token.name === name);
  return tokens
    .slice(0, end < 0 ? undefined : end)
    .map((token) => (token.kind === 'text' ? token.text : ''))
    .join('');
}

/** Returns fields as a multipart body. Pure. */
export function toFormData(fields: readonly [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

/** Returns the fields that a form sends: its own, the overrides and the button. Pure. */
export function filledIn(
  form: Form,
  overrides: Readonly<Record<string, string | undefined>>,
  button: FormButton | undefined,
): [string, string][] {
  const kept = form.fields
    .filter(({ name, sent }) => sent && !Object.hasOwn(overrides, name))
    .map(({ name, value }): [string, string] => [name, value]);
  const pressed: [string, string][] = button?.name ? [[button.name, button.value]] : [];
  const given = Object.entries(overrides).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return [...kept, ...given, ...pressed];
}
