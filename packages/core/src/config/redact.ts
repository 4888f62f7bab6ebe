const SECRET_KEY =
  /secret|token|password|passwd|cookie|authorization|verifier|challenge|assertion|credential|^(code|state|nonce|hint|key|apikey|salt|jwt|body|query|set-cookie)$/i;
const DEPTH = 5;

declare const mark: unique symbol;

/** What {@link redact} has gone over. */
export interface Redacted {
  readonly [mark]: true;
}

/**
 * A copy of log metadata without what could be used to sign in: values under telling names are replaced by their kind and
 * length, addresses lose their query. Never throws.
 */
export function redact(value: unknown): Redacted {
  return copied(value, 0) as Redacted;
}

function copied(value: unknown, depth: number): unknown {
  try {
    return redacted(value, depth);
  } catch {
    // A getter or a proxy of the application's; a log must not break a sign-in.
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
  // Not by assignment: a member may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, member]) => [key, isSecret(key, member) ? hidden(member) : copied(member, depth + 1)]),
  );
}

/** A `code` is an authorization code, or the name of what went wrong in a library or the system: `OAUTH_…`, `ECONNREFUSED`. */
function isSecret(key: string, value: unknown): boolean {
  return SECRET_KEY.test(key) && !(key === 'code' && typeof value === 'string' && ERROR_NAME.test(value));
}

const ERROR_NAME = /^(OAUTH_[A-Z_]{1,60}|ERR_[A-Z_]{1,60}|E[A-Z]{3,20})$/;

function hidden(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' ? `[redacted ${value.length}]` : '[redacted]';
}

const LONGEST = 4096;

/** A text without compact JOSE values, and without user names, passwords and queries of addresses. */
export function redactText(text: string): string {
  return (
    text
      // Twice as much as is kept: what the cut would leave half of is still recognised.
      .slice(0, 2 * LONGEST)
      // Each takes the whole run and then looks at it: a run that is none after all must not be read again from each of its letters.
      .replace(/eyJ[\w-]{10,}(\.[\w.-]*)?/g, (run: string, rest?: string) => (rest ? '[redacted token]' : run))
      .replace(/:\/\/[^\s/?#"']*@/g, '://[redacted]@')
      .replace(/https?:\/\/[^\s"']*/g, (address) => address.replace(/[?#].*/, '?[redacted]'))
      .slice(0, LONGEST)
  );
}
