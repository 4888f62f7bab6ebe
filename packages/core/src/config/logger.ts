import { AuthError } from '../errors/base.ts';
import type { LoggerInstance, Optional, WarningCode } from '../types.ts';
import { redact, redactText } from './redact.ts';

/** Codes each log was warned of. One per log and process: repeated warnings teach people to ignore them. */
const warnings = new WeakMap<object, Set<WarningCode>>();

/**
 * The log of a configuration. The application's own functions are used where given, and their exceptions are swallowed: a
 * broken log must not break a sign-in. `debug` counts only when the application brings no logger.
 */
export function createLogger(own: Optional<LoggerInstance> | undefined, debug: boolean): LoggerInstance {
  const debugging = own ? own.debug !== undefined : debug;
  const warned = warnings.get(own ?? console) ?? new Set<WarningCode>();
  warnings.set(own ?? console, warned);
  return {
    error: (error) => safely(() => (own?.error ? own.error(error) : logError(error))),
    warn: (code, ...details) => {
      if (warned.has(code)) return;
      warned.add(code);
      safely(() => (own?.warn ? own.warn(code, ...details) : logWarning(code, details)));
    },
    debug: (message, metadata) => {
      if (!debugging) return;
      const safe = redact(metadata);
      safely(() => (own?.debug ? own.debug(message, safe) : console.log(`[auth][debug] ${message}`, safe ?? '')));
    },
  };
}

function safely(log: () => unknown): void {
  try {
    const result = log();
    // An async log function may reject later; an unhandled rejection would end the process. Promises of other realms, and of
    // libraries, are no instances of ours.
    if (typeof result === 'object' && result !== null && 'then' in result)
      Promise.resolve(result).catch(() => undefined);
  } catch {
    // Nothing is left to tell it to.
  }
}

function logError(error: Error): void {
  const name = error instanceof AuthError ? error.type : error.name;
  console.error(`[auth][error] ${name}: ${redactText(error.message)}`);
  if (!(error instanceof AuthError) || !error.cause) {
    logStack(error);
    return;
  }
  const { err: _, ...facts } = error.cause;
  const causes = causesOf(error);
  for (const cause of causes) console.error(`[auth][cause] ${redactText(cause.stack ?? String(cause))}`);
  if (causes.length === 0) logStack(error);
  if (Object.keys(facts).length > 0) console.error('[auth][details]', redact(facts));
}

/** Deeper ones would say nothing new; it also ends causes that go in circles. */
const DEEPEST = 5;

/** What led to an error, the nearest first. The reason is often at the end: `fetch failed` and our own wrappers tell none. */
function causesOf(error: Error): Error[] {
  const causes: Error[] = [];
  for (let next = causeOf(error); next instanceof Error && !causes.includes(next); next = causeOf(next)) {
    if (causes.push(next) === DEEPEST) break;
  }
  return causes;
}

function causeOf(error: Error): unknown {
  if (error instanceof AuthError) return error.cause?.err;
  // One error for several attempts, one per address of a host, has no words of its own.
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

function logStack(error: Error): void {
  const frames = error.stack?.split('\n').slice(1).join('\n');
  if (frames) console.error(frames);
}

/** What each warning says; `docs/errors.md` has the remedies at length. */
const WORDS: Readonly<Record<WarningCode, string>> = {
  'csrf-disabled': 'forms are accepted without a CSRF token: the framework has to check where they come from.',
  'debug-enabled': 'debug is on. Leave it off in production.',
  'env-url-basepath-mismatch': 'AUTH_URL, `basePath` and the place of the handler differ. Give the path in one place.',
  'env-url-basepath-redundant': 'AUTH_URL has a path, and `basePath` is set, too. Give the path in one place.',
  'env-url-invalid': 'AUTH_URL is no web address, so it does not count. Write it with https://.',
  'experimental-webauthn': 'passkeys are experimental and may change.',
  'id-token-not-verified': 'a provider publishes no keys, so TLS stands for the signature of its ID tokens.',
  'redirect-proxy-open': 'answers are handed on to every origin that shares the secret. Set `redirectProxyOrigins`.',
  'session-cookie-size': 'the session token is large. Return less from `callbacks.jwt`.',
  'short-secret': 'a secret has fewer than 32 characters. Make one with `openssl rand -base64 33`.',
};

function logWarning(code: WarningCode, details: unknown[]): void {
  const facts = details.map((detail) => redactText(String(detail))).join(' ');
  console.warn(`[auth][warn][${code}] ${WORDS[code]}${facts && ` (${facts})`} See docs/errors.md#${code}`);
}
