import { AuthError } from '../errors/base.ts';
import { redact, redactText } from './redact.ts';

/** Writes an error with what led to it. */
export function logError(error: Error): void {
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

/** What a warning tells beside its words. */
export function factsOf(details: readonly string[]): string {
  const facts = details.map((detail) => redactText(String(detail))).join(' ');
  return facts && ` (${facts})`;
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
