/** The parts of the library whose debug messages can be switched on. */
export type DebugCategory = 'config' | 'http' | 'session' | 'oauth' | 'email' | 'webauthn' | 'store' | 'limits';

const CATEGORIES: readonly DebugCategory[] = [
  'config',
  'http',
  'session',
  'oauth',
  'email',
  'webauthn',
  'store',
  'limits',
];

/** The variables that switch debug messages on. */
interface DebugEnv {
  /** A list of categories, or `true`, `1` or `*` for all of them. */
  readonly AUTH_DEBUG?: string | undefined;
  /** Patterns as the package `debug` reads them: `latchkey:*`, `latchkey:oauth`, `-latchkey:store`. */
  readonly DEBUG?: string | undefined;
}

/** Returns the categories whose debug messages the environment switches on. Other names are ignored. */
export function debugCategories({ AUTH_DEBUG = '', DEBUG = '' }: DebugEnv): readonly DebugCategory[] {
  const named = new Set(listOf(AUTH_DEBUG));
  const patterns = listOf(DEBUG);
  return CATEGORIES.filter((category) => {
    if (['true', '1', '*', category].some((name) => named.has(name))) return true;
    const matches = (pattern: string): boolean => ['*', 'latchkey:*', `latchkey:${category}`].includes(pattern);
    return patterns.some(matches) && !patterns.some((pattern) => pattern[0] === '-' && matches(pattern.slice(1)));
  });
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(/[\s,]+/);
}
