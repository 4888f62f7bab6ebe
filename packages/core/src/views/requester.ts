import type { MailRequester } from '../types/provider.ts';

/** Returns browser and system in words: " in Chrome on Windows". Empty if neither is known. */
export function agentInWords({ browser, system }: MailRequester): string {
  return `${browser ? ` in ${browser}` : ''}${system ? ` on ${system}` : ''}`;
}
