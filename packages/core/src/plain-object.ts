/** An object literal, or an object from JSON. */
export type Plain = Record<string, unknown>;

/** Returns the object that a JSON text holds; `undefined` if the text is not JSON, or holds another kind of value. */
export function readObject(text: string): Plain | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // The parser's message is not passed on, because it quotes the text.
    return undefined;
  }
}

/** Returns whether a value is an object whose members can be read by name; a list is not. */
export function isRecord(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an object literal, or was made by `Object.create(null)`. */
export function isPlainObject(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
