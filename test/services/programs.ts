import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebian } from '../../scripts/debian.mjs';
import type { Engine, Fresh, Recipe, StartOptions } from './engine.ts';
import { ServiceMissing } from './missing.ts';

/** The path of a program: the first in `folders`, then in `PATH`. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const places = [...folders, ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean)];
  return places.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * How to start a server of this kind, its programs installed first where that is possible.
 *
 * @throws {ServiceMissing} when it is not.
 */
export async function recipeFor<F extends Fresh, O extends StartOptions>(engine: Engine<F, O>): Promise<Recipe<O>> {
  const recipe = engine.recipe() ?? ((await installed(engine.debian)) ? engine.recipe() : undefined);
  if (!recipe) throw new ServiceMissing(engine);
  return recipe;
}

/** What has been tried: a second try would not do better. */
const tried = new Map<string, Promise<boolean>>();

function installed(name: string): Promise<boolean> {
  const result = tried.get(name) ?? installDebian(name);
  tried.set(name, result);
  return result;
}
