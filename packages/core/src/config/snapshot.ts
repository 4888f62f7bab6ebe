import { isRecord } from '../plain-object.ts';
import { allowInsecureIssuer, allowShortSecret, customFetch, deployment } from '../symbols.ts';
import type { AuthConfig } from '../types/config.ts';

/** The values of a configuration at one time, in the order of a walk through it. */
export type Snapshot = readonly unknown[];

type Members = Readonly<Record<string | symbol, unknown>>;

/** Takes a name or a value. Returns whether to go on. */
type Visit = (value: unknown) => boolean;

/**
 * Returns the values of a configuration: its members, the elements of its lists, and the members of options such as
 * `session` and `callbacks`.
 */
export function snapshotOf(config: AuthConfig): Snapshot {
  return valuesOf((visit) => walkConfig(config, visit));
}

/** Returns whether a configuration has the same values as when the snapshot was taken. */
export function isUnchanged(config: AuthConfig, snapshot: Snapshot): boolean {
  return hasValues(snapshot, (visit) => walkConfig(config, visit));
}

/** Returns the members of a configuration's providers, and those of their `options`. */
export function providersSnapshotOf(providers: unknown): Snapshot {
  return valuesOf((visit) => walkProviders(providers, visit));
}

/** Returns whether the providers have the same members as when the snapshot was taken. */
export function areProvidersUnchanged(providers: unknown, snapshot: Snapshot): boolean {
  return hasValues(snapshot, (visit) => walkProviders(providers, visit));
}

function valuesOf(walk: (visit: Visit) => boolean): Snapshot {
  const values: unknown[] = [];
  walk((value) => values.push(value) > 0);
  return values;
}

function hasValues(snapshot: Snapshot, walk: (visit: Visit) => boolean): boolean {
  let index = 0;
  return walk((value) => Object.is(value, snapshot[index++])) && index === snapshot.length;
}

/** Options whose own members are compared. */
const NESTED: ReadonlySet<string> = new Set([
  'session',
  'jwt',
  'logout',
  'mail',
  'account',
  'callbacks',
  'events',
  'pages',
  'cookies',
  'experimental',
  'theme',
  'logger',
  'rateLimit',
  'locale',
]);

/** Visits names and values until `visit` returns false. Returns whether it has visited all of them. */
function walkConfig(config: AuthConfig, visit: Visit): boolean {
  const members = config as unknown as Members;
  for (const key in members) {
    const value = members[key];
    if (!visit(key) || !visit(value)) return false;
    if (Array.isArray(value)) {
      if (!visit(value.length)) return false;
      for (const element of value) if (!visit(element)) return false;
    } else if (NESTED.has(key) && isRecord(value) && !walkMembers(value, visit)) return false;
  }
  // `for in` does not visit symbols.
  const facts = config[deployment];
  return (
    visit(config[allowShortSecret]) && visit(facts?.isProduction) && visit(facts?.isPlatform) && visit(facts?.origin)
  );
}

function walkProviders(providers: unknown, visit: Visit): boolean {
  return !Array.isArray(providers) || providers.every((entry) => walkProvider(entry, visit));
}

/** Stands for the further members of a provider that throws when it is read. */
const UNREADABLE = Symbol('unreadable');

function walkProvider(entry: unknown, visit: Visit): boolean {
  if (!isRecord(entry)) return true;
  try {
    const members: Members = entry;
    const { options } = entry;
    return (
      walkMembers(members, visit) &&
      visit(members[customFetch]) &&
      visit(members[allowInsecureIssuer]) &&
      (!isRecord(options) || walkMembers(options, visit))
    );
  } catch {
    return visit(UNREADABLE);
  }
}

function walkMembers(members: Members, visit: Visit): boolean {
  for (const name in members) if (!visit(name) || !visit(members[name])) return false;
  return true;
}
