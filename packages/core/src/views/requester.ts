import type { Language } from '../messages/en.ts';
import type { MailRequester } from '../types/provider.ts';
import { fill } from './text.ts';

/** Returns browser and system in a language: "Chrome on Windows". `undefined` if neither is known. */
export function agentText({ texts }: Language, { browser, system }: MailRequester): string | undefined {
  return browser && system ? fill(texts.common.agent, { browser, system }) : browser || system || undefined;
}
