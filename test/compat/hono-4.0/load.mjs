/**
 * Imports from this folder's own `node_modules`.
 *
 * @param {string} specifier
 */
export const load = (specifier) => import(specifier);
