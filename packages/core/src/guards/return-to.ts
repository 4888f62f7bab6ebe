import { chain } from '../chain.ts';
import { defaultRedirect } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import type { Awaitable } from '../types.ts';
import { isShort, type ReturnContext, WRITABLE } from './address.ts';

const judgement = lazily(async () => (await import('./judged-address.ts')).judgedAddress);

/**
 * Where the visitor goes afterwards: the first of `candidates` that is given at all, judged by the application's
 * `redirect` callback. Whatever is no http address ends at the origin, and so does a callback that fails. The one
 * redirect validator of the library.
 */
export function returnTo(context: ReturnContext, ...candidates: readonly unknown[]): Awaitable<string> {
  const candidate = candidates.find((value) => value !== undefined && value !== '');
  if (candidate === undefined) return context.origin;
  if (isPlainlyOurs(candidate, context)) return candidate;
  return chain(judgement(), (judgedAddress) => judgedAddress(context, candidate));
}

/** What nearly every request brings, and the default callback would hand back as it is; parsing it costs more than the rest of us. */
function isPlainlyOurs(candidate: unknown, { origin, callbacks }: ReturnContext): candidate is string {
  if (typeof candidate !== 'string' || callbacks.redirect !== defaultRedirect) return false;
  return candidate === origin || (candidate.startsWith(`${origin}/`) && isShort(candidate) && WRITABLE.test(candidate));
}
