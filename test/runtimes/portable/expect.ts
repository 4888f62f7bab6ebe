// Not node:assert, which workerd has only with a flag.

/** Are both the same, written as JSON? Members with `undefined` do not count. */
export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  const [got, wanted] = [written(actual), written(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
}

/** Does it match? */
export function matches(actual: string | null | undefined, pattern: RegExp, what = 'text'): void {
  if (!pattern.test(actual ?? '')) throw new Error(`${what}: expected ${pattern}, got ${shown(written(actual))}`);
}

/** Does it hold? */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(`not so: ${what}`);
}

/** Does it fail with an error of that name? */
export async function fails(work: Promise<unknown>, name: string): Promise<void> {
  let outcome: string;
  try {
    outcome = `resolved with ${shown(written(await work))}`;
  } catch (error) {
    if (error instanceof Error && error.name === name) return;
    outcome = `failed with ${error}`;
  }
  throw new Error(`expected ${name}, but it ${outcome}`);
}

function written(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function shown(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
