/**
 * Imports another project's package, installed under `test/peers/<peer>` outside the workspaces:
 * `await loadPeer<typeof Jwt>('authjs', '@auth/core/jwt')`.
 */
export async function loadPeer<Module = Record<string, unknown>>(peer: string, specifier: string): Promise<Module> {
  const { load } = await import(new URL(`./${peer}/load.mjs`, import.meta.url).href);
  return load(specifier);
}
