import { join, sep } from 'node:path';
import type { CodeSplittingGroup, ModuleInfo } from 'rolldown';

/** A file in `dist/parts`. */
export interface Part {
  readonly name: string;
  /** Modules below `src`: they are in it, and what they import statically. */
  readonly of: readonly string[];
}

/**
 * The parts as the bundler wants them. A module is in the first that needs it.
 *
 * @param folders What is below them comes along; other modules are other packages'.
 */
export function groupsOf(parts: readonly Part[], source: string, folders: readonly string[]): CodeSplittingGroup[] {
  const isOurs = (id: string): boolean => folders.some((folder) => id.startsWith(folder + sep));
  return parts.map(({ name, of }, index) => {
    const entries = of.map((path) => join(source, path));
    const isNeeded = neededBy(entries, isOurs);
    const nameOf = (id: string, modules: Modules): string | null => (isNeeded(id, modules) ? name : null);
    return { debugName: name, priority: parts.length - index, name: nameOf };
  });
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

type IsNeeded = (id: string, modules: Modules) => boolean;

/** Tells of each module whether whoever loads these loads it, too. */
function neededBy(entries: readonly string[], isOurs: (id: string) => boolean): IsNeeded {
  const found = new Set<string>();
  return (id, modules) => {
    const add = (next: string): void => {
      if (found.has(next) || !isOurs(next)) return;
      found.add(next);
      for (const further of modules.getModuleInfo(next)?.importedIds ?? []) add(further);
    };
    for (const entry of entries) add(entry);
    return found.has(id);
  };
}
