import { limits } from '../config/defaults.ts';
import { type Callbacks, defaultRedirect, errorOf } from '../config/hooks.ts';
import { InvalidCallbackUrl } from '../errors.ts';
import type { Awaitable, LoggerInstance } from '../types.ts';

/** What the decision about a return address needs. */
export interface ReturnContext {
  readonly origin: string;
  readonly callbacks: Callbacks;
  readonly logger: LoggerInstance;
}

/**
 * Where the visitor goes afterwards: the first of `candidates` that is given at all, judged by the application's
 * `redirect` callback. Whatever is no http address ends at the origin, and so does a callback that fails. The one
 * redirect validator of the library.
 */
export function returnTo(context: ReturnContext, ...candidates: readonly unknown[]): Awaitable<string> {
  const candidate = candidates.find((value) => value !== undefined && value !== '');
  if (isPlainlyOurs(candidate, context)) return candidate;
  if (!isAddress(candidate)) return context.origin;
  return judged(context, candidate);
}

/** Addresses that may stand in a header as they are: visible ASCII without quotes and backslashes. */
const WRITABLE = /^https?:\/\/[!#-[\]-~]+$/;

/** What nearly every request brings, and the default callback would hand back as it is; parsing it costs more than the rest of us. */
function isPlainlyOurs(candidate: unknown, { origin, callbacks }: ReturnContext): candidate is string {
  if (typeof candidate !== 'string' || callbacks.redirect !== defaultRedirect) return false;
  return candidate === origin || (candidate.startsWith(`${origin}/`) && isShort(candidate) && WRITABLE.test(candidate));
}

/** Is it a path, or an absolute http address, of bearable length? */
export function isAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !isShort(value) || hasControls(value)) return false;
  if (value.startsWith('/')) return true;
  return /^https?:/i.test(value) && URL.canParse(value);
}

/** Asks the `redirect` callback about an address that is one. */
async function judged({ origin, callbacks, logger }: ReturnContext, url: string): Promise<string> {
  try {
    const result: unknown = await callbacks.redirect({ url, baseUrl: origin });
    const target = typeof result === 'string' ? cleaned(result, origin) : undefined;
    if (target !== undefined) return target;
    logger.error(
      new InvalidCallbackUrl('the `redirect` callback returned no http address. Return an absolute URL, or a path'),
    );
  } catch (error) {
    logger.error(new InvalidCallbackUrl('the `redirect` callback threw', { err: errorOf(error) }));
  }
  return origin;
}

/** The address as it may stand in a header: no credentials, nothing that a browser reads differently than we do. */
function cleaned(address: string, origin: string): string | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username === '' && url.password === '' && WRITABLE.test(address)) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

function isShort(address: string): boolean {
  return address.length <= limits.callbackUrl;
}

function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
