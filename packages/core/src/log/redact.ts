const SECRET_KEY =
  /secret|token|password|passwd|cookie|authorization|verifier|challenge|assertion|credential|^(code|state|nonce|hint|key|apikey|salt|jwt|body|query|set-cookie)$/i;
const DEPTH = 5;

declare const mark: unique symbol;

/** A value that {@link redact} returned. */
export interface Redacted {
  readonly [mark]: true;
}

/**
 * Returns a copy of log metadata without secrets. The values of members with names such as `token` are replaced by
 * their length. URLs lose their query. Never throws.
 */
export function redact(value: unknown): Redacted {
  return copied(value, 0) as Redacted;
}

function copied(value: unknown, depth: number): unknown {
  try {
    return redacted(value, depth);
  } catch {
    // The application's object has a getter, or is a proxy, that throws.
    return '[unreadable]';
  }
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (depth >= DEPTH) return '[…]';
  if (value instanceof Error)
    return { name: redactText(String(value.name)), message: redactText(String(value.message)) };
  if (value instanceof Date) return value;
  if (value instanceof URL) return `${value.origin}${value.pathname}`;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => copied(item, depth + 1));
  // Not by assignment: a member may have the name `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, member]) => [key, isSecret(key, member) ? hidden(member) : copied(member, depth + 1)]),
  );
}

/**
 * A member `code` may be an authorization code, or the code of an error of a library or of the system: `OAUTH_…`,
 * `ECONNREFUSED`.
 */
function isSecret(key: string, value: unknown): boolean {
  return SECRET_KEY.test(key) && !(key === 'code' && typeof value === 'string' && ERROR_NAME.test(value));
}

const ERROR_NAME = /^(OAUTH_[A-Z_]{1,60}|ERR_[A-Z_]{1,60}|E[A-Z]{3,20})$/;

function hidden(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' ? `[redacted ${value.length}]` : '[redacted]';
}

const LONGEST = 4096;

/**
 * Returns a text without compact JOSE values, and without the user names, passwords and queries of URLs. Control
 * characters are escaped (`\\x1b`), because a terminal would obey them; line breaks and tabs stay.
 */
export function redactText(text: string): string {
  return (
    text
      // Twice the length that is kept, so that a secret at the cut is still recognized.
      .slice(0, 2 * LONGEST)
      // Each pattern matches the whole run, and the replacer decides. Otherwise a long run would be scanned again from
      // each character.
      .replace(/eyJ[\w-]{10,}(\.[\w.-]*)?/g, (run: string, rest?: string) => (rest ? '[redacted token]' : run))
      .replace(/:\/\/[^\s/?#"']*@/g, '://[redacted]@')
      .replace(/https?:\/\/[^\s"']*/g, (address) => address.replace(/[?#].*/, '?[redacted]'))
      .slice(0, LONGEST)
      .replace(CONTROLS, escaped)
  );
}

/** C0 without tab and line feed, DEL, C1, and the separators of lines and paragraphs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
}
