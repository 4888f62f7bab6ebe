/**
 * Imports a second major of a framework, installed under `test/compat/<name>` outside the workspaces:
 * `await loadCompat('express-4', 'express')`.
 */
export async function loadCompat<Module = Record<string, unknown>>(name: string, specifier: string): Promise<Module> {
  const { load } = await import(new URL(`./${name}/load.mjs`, import.meta.url).href);
  return load(specifier);
}
