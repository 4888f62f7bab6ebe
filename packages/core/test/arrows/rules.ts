import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Import, readImports } from './imports.ts';

/** Sources by path, relative to `src`: `identity/oauth/begin.ts`. */
export type Tree = Record<string, string>;

/**
 * The rooms that each room may import. A room is a folder of `src` or, without `.ts`, a file at its top.
 * `type wire` allows `import type` only.
 */
export type Arrows = Record<string, readonly string[]>;

/** The only folder or file that may import a dependency, by the dependency's name. */
export type Doors = Record<string, string>;

/** Imports that no arrow allows, one sentence each. */
export function forbiddenArrows(tree: Tree, arrows: Arrows): string[] {
  return importsOf(tree).flatMap(({ at, from, to, typeOnly }) => {
    if (!to) return [];
    const [here, there] = [roomOf(from), roomOf(to)];
    if (here === there) return [];
    const allowed = arrows[here];
    if (!allowed) return [`${at} is in ${here}, which has no row in the table`];
    if (allowed.includes(there)) return [];
    if (!allowed.includes(`type ${there}`)) return [`${at} imports ${to}: no arrow ${here} → ${there}`];
    return typeOnly ? [] : [`${at} imports ${to}: the arrow ${here} → ${there} is for types only`];
  });
}

/** Relative imports of files that do not exist. */
export function missingFiles(tree: Tree): string[] {
  return importsOf(tree)
    .filter(({ to }) => to && !(to in tree))
    .map(({ at, to }) => `${at} imports ${to}, which does not exist`);
}

/** Packages that are imported by other files than their own door. Node's modules need no door. */
export function forbiddenPackages(tree: Tree, doors: Doors): string[] {
  return importsOf(tree).flatMap(({ at, from, to, specifier }) => {
    if (to) return [];
    if (isBuiltin(specifier)) return [`${at} imports ${specifier}: other runtimes do not have it`];
    const door = doors[packageOf(specifier)];
    if (!door) return [`${at} imports ${specifier}, which has no door in the table`];
    return from === door || from.startsWith(`${door}/`) ? [] : [`${at} imports ${specifier}: its door is ${door}`];
  });
}

/**
 * Lists the import cycles between files, each once: `a.ts → b.ts → a.ts`. Type imports count, because a reader has to
 * follow them, too.
 */
export function cycles(tree: Tree): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of importsOf(tree)) {
    if (to) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();

  function walk(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const each of next.get(file) ?? []) walk(each, [...path, file]);
    done.add(file);
  }

  for (const file of Object.keys(tree)) walk(file, []);
  return found;
}

/** Paths that tests of any package may import: the repository's own tools, and the tools of core's tests. */
const SHARED_TESTS = /^(\.\.\/){1,2}(test|scripts)\/|^\.\.\/(packages\/)?(core|testing)\/test\//;

/**
 * Imports in another package that do not go through the exports of this one.
 *
 * @param tree Sources of the other package, relative to its own folder.
 * @param name The name of this package.
 * @param exported The keys of its `exports`: `.`, `./jwt`, `./providers/*`.
 */
export function sideEntrances(tree: Tree, name: string, exported: readonly string[]): string[] {
  return importsOf(tree).flatMap(({ at, to, specifier }) => {
    if (to !== undefined && SHARED_TESTS.test(to) && !at.startsWith('src/')) return [];
    if (to?.startsWith('../')) return [`${at} imports ${specifier}, outside its own package`];
    if (to || packageOf(specifier) !== name) return [];
    const entry = `.${specifier.slice(name.length)}`;
    const isOpen = exported.some((key) => key === entry || (key.endsWith('/*') && entry.startsWith(key.slice(0, -1))));
    return isOpen ? [] : [`${at} imports ${specifier}, which is no export of ${name}`];
  });
}

interface Found extends Import {
  from: string;
  /** The imported file; absent for a package. */
  to?: string;
  /** `linking/link.ts:3`, for messages. */
  at: string;
}

function importsOf(tree: Tree): Found[] {
  return Object.entries(tree).flatMap(([from, text]) =>
    readImports(text).map((each) => ({
      ...each,
      from,
      at: `${from}:${each.line}`,
      ...(each.specifier.startsWith('.') && { to: posix.join(posix.dirname(from), each.specifier) }),
    })),
  );
}

function roomOf(file: string): string {
  const [first = ''] = file.split('/');
  return first.replace(/\.ts$/, '');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
