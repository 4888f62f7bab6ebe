/** Which members a value has, by name; a name with `?` may be missing. A list of one is a list of such. */
export type Spec = { readonly [name: string]: Kind };
type Kind = 'any' | 'string' | 'number' | 'boolean' | 'object' | 'array' | Spec | readonly [Spec];

/** Returns the faults of a JSON value. A member that the shape does not list is a fault. */
export function shapeProblems(value: unknown, spec: Spec, at = ''): string[] {
  if (kindOf(value) !== 'object') return [`${at || 'it'} is no object`];
  const given = value as Record<string, unknown>;
  const kinds = new Map(Object.entries(spec).map(([name, kind]) => [name.replace(/\?$/, ''), kind]));
  const missing = Object.keys(spec).filter((name) => !name.endsWith('?') && !(name in given));
  return [
    ...missing.map((name) => `${at}${name} is missing`),
    ...Object.entries(given).flatMap(([name, member]) => {
      const kind = kinds.get(name);
      return kind === undefined ? [`${at}${name} means nothing`] : memberProblems(member, kind, at + name);
    }),
  ];
}

function memberProblems(value: unknown, kind: Kind, at: string): string[] {
  if (kind === 'any') return [];
  if (typeof kind === 'string') return kindOf(value) === kind ? [] : [`${at} is no ${kind}`];
  if (!Array.isArray(kind)) return shapeProblems(value, kind as Spec, `${at}.`);
  if (!Array.isArray(value)) return [`${at} is no array`];
  return value.flatMap((one, index) => shapeProblems(one, kind[0] as Spec, `${at}.${index}.`));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
