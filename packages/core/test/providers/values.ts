/** Values of the placeholders `$name` in a fixture. */
export type Values = Readonly<Record<string, string | undefined>>;

/** A copy of a JSON value in which every `$name` that has a value is replaced by it. */
export function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return value.replace(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)]));
}
