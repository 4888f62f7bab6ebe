import type { Cookie, CookieOption } from '../types.ts';

const expiring = new WeakMap<CookieOption['options'], CookieOption['options']>();

/** The cookie that makes a browser forget another one: empty, `Max-Age=0`, otherwise the same attributes. */
export function expireCookie({ name, options }: CookieOption): Cookie {
  const known = expiring.get(options);
  if (known) return { name, value: '', options: known };
  const { expires: _, ...others } = options;
  const made = Object.freeze({ ...others, maxAge: 0 });
  // What may change is looked at each time.
  if (Object.isFrozen(options)) expiring.set(options, made);
  return { name, value: '', options: made };
}
