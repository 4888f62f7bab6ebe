import type { Awaitable } from '../types.ts';
import { engine } from './engine.ts';

/** SHA-256 of a text's UTF-8 form, 64 characters of lower-case hexadecimal. */
export function sha256Hex(text: string): Awaitable<string> {
  return engine().digest('sha256', text, 'hex');
}
