/** Tells whether a version is in a range of npm: `^4.18.2 || ^5.0.0`, `>=15.5 <17`, `2.x`. Other forms count as met. */
export function satisfies(version: string, range: string): boolean {
  const parts = partsOf(version);
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .split(/\s+/)
      .every((comparator) => meets(parts, comparator)),
  );
}

type Parts = readonly [major: number, minor: number, patch: number];

function partsOf(version: string): Parts {
  const [major = 0, minor = 0, patch = 0] = version
    .replace(/^v/, '')
    .split(/[.+-]/)
    .map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function meets(version: Parts, comparator: string): boolean {
  const [, operator = '', text = ''] = /^(\^|~|>=|<=|>|<|=)?v?(\d[\w.*-]*)$/.exec(comparator) ?? [];
  if (text === '') return true;
  const bound = partsOf(text);
  const order = compare(version, bound);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '^':
      return order >= 0 && version[0] === bound[0] && (bound[0] > 0 || version[1] === bound[1]);
    case '~':
      return order >= 0 && version[0] === bound[0] && version[1] === bound[1];
    default: {
      const stated = text.split('.').filter((part) => /^\d/.test(part)).length;
      return bound.slice(0, stated).every((part, index) => part === version[index]);
    }
  }
}

function compare(one: Parts, other: Parts): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
