/**
 * Imports from this folder's own `node_modules`.
 *
 * @param {string} specifier
 */
export const load = (specifier) => import(specifier);

const copies = { count: 0 };

/**
 * Imports a new copy of a module: the adapter keeps one connection per copy of itself, whatever it is called with.
 *
 * @param {string} specifier
 */
export const loadAnew = (specifier) => {
  copies.count += 1;
  return import(`${import.meta.resolve(specifier)}?copy=${copies.count}`);
};
