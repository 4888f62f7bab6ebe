import { existsSync, readFileSync } from 'node:fs';
import { asking, inChild } from './child.ts';
import type { Figure } from './figure.ts';

/**
 * Folders and packages that reading a session must not load: pages, protocols, mail. `related-origins` is an exception,
 * because the entry exports it.
 */
const UNNEEDED =
  /\/(views|mail|tokens)\/|\/identity\/(?!webauthn\/related-origins)|oauth4webapi|simplewebauthn|nodemailer/;

/** Returns the files that a process loads to read a JWT session. */
export function loadedForSession(): Promise<string[]> {
  return loadedBy(`${asking('latchkey')} await ask();`);
}

/** Returns the files that a process loads to run the code. */
export function loadedBy(code: string): Promise<string[]> {
  return inChild<string[]>(`
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
${code}
console.log(JSON.stringify(loaded.filter((url) => url.startsWith('file:'))));`);
}

/** Returns the modules of these files that a session does not need. */
export function unneededIn(files: readonly string[]): string[] {
  return files.flatMap(modulesIn).filter((url) => UNNEEDED.test(url));
}

/** Returns the same as figures. */
export async function moduleFigures(): Promise<Figure[]> {
  const loaded = await loadedForSession();
  const modules = loaded.flatMap(modulesIn);
  const unneeded = unneededIn(loaded);
  return [
    {
      title: 'files that a session loads',
      value: loaded.length,
      unit: 'files',
      parts: { 'modules in them': modules.length },
    },
    {
      title: '… of pages, OAuth, WebAuthn or mail',
      value: unneeded.length,
      unit: 'files',
      most: 0,
      parts: Object.fromEntries(unneeded.map((url) => [url.replace(/.*\/(?:src|dist|node_modules)\//, ''), 1])),
    },
  ];
}

/** Returns the modules of a built file, which its source map names. */
function modulesIn(url: string): string[] {
  const map = new URL(`${url}.map`);
  if (!existsSync(map)) return [url];
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
  return sources.map((source) => new URL(source, map).href);
}
