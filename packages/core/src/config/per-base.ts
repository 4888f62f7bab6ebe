import type { Settings } from './settings.ts';

/** Addresses that a site has, at most, before all is made anew. */
const BASES = 16;

/**
 * What follows from the configuration and the address of our actions alone (`base`: origin and mount path): made once for each,
 * and kept as long as the settings are.
 */
export function perBase<T>(make: (settings: Settings, base: string) => T): (settings: Settings, base: string) => T {
  const made = new WeakMap<Settings, Map<string, T>>();
  return (settings, base) => {
    const byBase = made.get(settings) ?? new Map<string, T>();
    made.set(settings, byBase);
    const known = byBase.get(base);
    if (known !== undefined) return known;
    const value = make(settings, base);
    if (byBase.size >= BASES) byBase.clear();
    byBase.set(base, value);
    // What failed is tried again by the next request.
    if (value instanceof Promise) value.catch(() => byBase.delete(base));
    return value;
  };
}
