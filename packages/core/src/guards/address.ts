import { limits } from '../config/defaults.ts';
import type { Callbacks } from '../config/hooks.ts';
import type { Log } from '../config/logger.ts';

/** What the decision about a return address needs. */
export interface ReturnContext {
  readonly origin: string;
  readonly callbacks: Callbacks;
  readonly logger: Log;
}

/** Addresses that may stand in a header as they are: visible ASCII without quotes and backslashes. */
export const WRITABLE: RegExp = /^https?:\/\/[!#-[\]-~]+$/;

/** Is the address of bearable length? */
export function isShort(address: string): boolean {
  return address.length <= limits.callbackUrl;
}
