/** Reads a symbol-keyed member by our symbol or, on foreign objects, by the symbol's description. */
export function ownOrForeign(object: object, symbol: symbol): unknown {
  if (symbol in object) return (object as Record<symbol, unknown>)[symbol];
  const foreign = Object.getOwnPropertySymbols(object).find((key) => key.description === symbol.description);
  return foreign && (object as Record<symbol, unknown>)[foreign];
}
