import { errorOf } from '../config/hooks.ts';
import { InvalidCallbackUrl } from '../errors.ts';
import { isShort, type ReturnContext, WRITABLE } from './address.ts';

/** What the application's `redirect` callback says to an address; the origin, where it is none. */
export async function judgedAddress(context: ReturnContext, candidate: unknown): Promise<string> {
  return isAddress(candidate) ? judged(context, candidate) : context.origin;
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
    await logger.error(
      new InvalidCallbackUrl('the `redirect` callback returned no http address. Return an absolute URL, or a path'),
    );
  } catch (error) {
    await logger.error(new InvalidCallbackUrl('the `redirect` callback threw', { err: errorOf(error) }));
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

function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
