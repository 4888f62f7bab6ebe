type Plain = Record<string, unknown>;

/** Is it an object literal (or made by `Object.create(null)`)? */
export function isPlainObject(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/**
 * `over` laid over `base`, in a new object: plain objects are merged, everything else (arrays too) is replaced; `undefined`
 * leaves what is there, `null` overwrites.
 */
export function merge(base: Plain, over: Plain): Plain {
  const merged: Plain = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === '__proto__') continue;
    const below = merged[key];
    merged[key] = isPlainObject(value) && isPlainObject(below) ? merge(below, value) : value;
  }
  return merged;
}
