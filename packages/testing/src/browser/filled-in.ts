import type { Form, FormButton } from './forms.ts';

/** Fields as a multipart body. Pure. */
export function toFormData(fields: readonly [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

/** The fields a form sends: as they stand, but for the overrides, and with the pressed button. Pure. */
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
