import type { AuthConfig } from '../types.ts';

/** The values a configuration had when its settings were built, in the order of {@link walk}. */
export type Snapshot = readonly unknown[];

/** Members whose own members count, too. */
const NESTED: ReadonlySet<string> = new Set([
  'session',
  'jwt',
  'callbacks',
  'events',
  'pages',
  'cookies',
  'experimental',
  'theme',
  'logger',
  'rateLimit',
]);

/** Visits names and values; ends early when `visit` returns false. Tells whether it came to the end. */
function walk(config: AuthConfig, visit: (value: unknown) => boolean): boolean {
  for (const key in config) {
    const value = config[key as keyof AuthConfig] as unknown;
    if (!visit(key) || !visit(value)) return false;
    if (Array.isArray(value)) {
      if (!visit(value.length)) return false;
      for (const element of value) if (!visit(element)) return false;
    } else if (NESTED.has(key) && typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (!visit(name) || !visit((value as Record<string, unknown>)[name])) return false;
      }
    }
  }
  return true;
}

/** The values that a configuration has now, for {@link isUnchanged}. */
export function snapshotOf(config: AuthConfig): Snapshot {
  const values: unknown[] = [];
  walk(config, (value) => values.push(value) > 0);
  return values;
}

/** Does the configuration still have exactly the values of the snapshot? */
export function isUnchanged(config: AuthConfig, snapshot: Snapshot): boolean {
  let index = 0;
  return walk(config, (value) => Object.is(value, snapshot[index++])) && index === snapshot.length;
}
