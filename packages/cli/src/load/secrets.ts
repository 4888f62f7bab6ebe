import type { Env } from './env-files.ts';

/** Names of variables and options whose values must not be printed. */
const NAMES = /secret|token|passw|passphrase|credential|private|api_?key|_key$|_pwd$|dsn$/i;

/** Shorter values occur in ordinary texts. */
const SHORTEST = 6;

/** Returns a function that replaces the secrets of an application in a text. */
export function redactor(env: Env, ...objects: readonly unknown[]): (text: string) => string {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(env)) collect(name, value, found);
  for (const object of objects) walk(object, found, 0, new Set());
  const forms = [...found].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  const secrets = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
}

/** Returns a copy of data in which all texts are redacted. */
export function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((one) => redacted(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redacted(one, redact)]));
}

function collect(name: string, value: unknown, found: Set<string>): void {
  if (typeof value !== 'string' || value.length < SHORTEST) return;
  if (NAMES.test(name)) found.add(value);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.password) return;
  for (const password of [url.password, decode(url.password)]) if (password.length > 1) found.add(password);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The depth to which options are read: `providers[0].options.server.auth.pass` has five levels. */
const DEPTH = 6;

function walk(value: unknown, found: Set<string>, depth: number, seen: Set<object>, name = ''): void {
  if (typeof value === 'string') {
    collect(name, value, found);
    return;
  }
  if (typeof value !== 'object' || value === null || depth > DEPTH || seen.has(value)) return;
  seen.add(value);
  for (const key of Object.keys(value)) {
    const member = read(value, key);
    // The elements of a list of secrets have the name of the list.
    walk(member, found, depth + 1, seen, Array.isArray(value) ? name : key === 'pass' ? 'password' : key);
  }
}

function read(object: object, key: string): unknown {
  try {
    return Reflect.get(object, key);
  } catch {
    return undefined;
  }
}
