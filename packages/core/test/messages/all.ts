import { readdirSync } from 'node:fs';
import type { Language } from '../../src/messages/en.ts';

const files = readdirSync(new URL('../../src/messages', import.meta.url)).map((file) => file.replace('.ts', ''));

/** All languages, by the names of their files. */
export const languages: readonly (readonly [file: string, Language])[] = await Promise.all(
  files.map(async (file) => [file, (await import(`../../src/messages/${file}.ts`)).default] as const),
);
