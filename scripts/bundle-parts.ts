import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CodeSplittingGroup, ModuleInfo } from 'rolldown';
import { Problem } from './run.mjs';

/** A file in `dist/parts`. */
export interface Part {
  readonly name: string;
  /** Modules below `src`. The part contains them and the modules that they import statically. */
  readonly of: readonly string[];
}

/**
 * Returns the parts as groups of the bundler. A module belongs to the first part that needs it.
 *
 * @param folders The modules below these folders belong to the package; others are external.
 * @throws {Problem} if a part names a module that does not exist.
 */
export function groupsOf(parts: readonly Part[], source: string, folders: readonly string[]): CodeSplittingGroup[] {
  const isOwn = (id: string): boolean => folders.some((folder) => id.startsWith(folder + sep));
  return parts.map(({ name, of }, index) => {
    const missing = of.filter((path) => !existsSync(join(source, path)));
    if (missing.length > 0)
      throw new Problem(`the part \`${name}\` names modules that do not exist: ${missing.join(', ')}`);
    const isNeeded = neededBy(
      of.map((path) => join(source, path)),
      isOwn,
    );
    const nameOf = (id: string, modules: Modules): string | null => (isNeeded(id, modules) ? name : null);
    return { debugName: name, priority: parts.length - index, name: nameOf };
  });
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Returns a test for the entries and the modules that they import statically. */
function neededBy(
  entries: readonly string[],
  isOwn: (id: string) => boolean,
): (id: string, modules: Modules) => boolean {
  const found = new Set<string>();
  return (id, modules) => {
    const add = (next: string): void => {
      if (found.has(next) || !isOwn(next)) return;
      found.add(next);
      for (const further of modules.getModuleInfo(next)?.importedIds ?? []) add(further);
    };
    for (const entry of entries) add(entry);
    return found.has(id);
  };
}
