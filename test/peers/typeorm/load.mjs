/**
 * Imports from this folder's own `node_modules`.
 *
 * @param {string} specifier
 */
export const load = (specifier) => import(specifier);

const copies = { count: 0 };

/**
 * Imports a new copy of a module, because each copy of the adapter keeps only one connection.
 *
 * @param {string} specifier
 */
export const loadAnew = (specifier) => {
  copies.count += 1;
  return import(`${import.meta.resolve(specifier)}?copy=${copies.count}`);
};
