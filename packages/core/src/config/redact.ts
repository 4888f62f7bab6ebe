const SECRET_KEY =
  /secret|token|password|passwd|cookie|authorization|verifier|challenge|assertion|credential|^(code|state|nonce|hint|key|apikey|salt|jwt|body|query|set-cookie)$/i;
const DEPTH = 5;

/**
 * A copy of log metadata without what could be used to sign in: values under telling names are replaced by their kind and
 * length, addresses lose their query. Never throws.
 */
export function redact(value: unknown, depth: number = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (depth >= DEPTH) return '[…]';
  if (value instanceof Error) return { name: value.name, message: redactText(value.message) };
  if (value instanceof Date) return value;
  if (value instanceof URL) return `${value.origin}${value.pathname}`;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value).slice(0, 100)) {
    copy[key] = SECRET_KEY.test(key) ? hidden(member) : redact(member, depth + 1);
  }
  return copy;
}

function hidden(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' ? `[redacted ${value.length}]` : '[redacted]';
}

/** A text without compact JOSE values and without the query of addresses. */
export function redactText(text: string): string {
  return text
    .slice(0, 4096)
    .replace(/eyJ[\w-]{10,}\.[\w-]*\.[\w.-]*/g, '[redacted token]')
    .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/g, '$1?[redacted]');
}
