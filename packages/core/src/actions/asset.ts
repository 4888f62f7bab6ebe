import type { Reply, RoutedRequest } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import { scriptReply, scriptVersion } from '../wire/page.ts';

/** A script of the built-in pages. */
export type ScriptName = 'page.js' | 'passkey.js';

/** Applications without passkeys do not load their script. */
const scripts: Readonly<Record<ScriptName, () => Promise<string>>> = {
  'page.js': async () => (await import('../views/page-script.ts')).pageScript,
  'passkey.js': async () => (await import('../views/passkey-script.ts')).passkeyScript,
};

/** Returns whether the built-in pages have a script of this name. */
export function isScriptName(name: string): name is ScriptName {
  return Object.hasOwn(scripts, name);
}

/**
 * Returns the URL of a script.
 *
 * @param base Origin and base path.
 */
export async function scriptUrl(base: string, name: ScriptName): Promise<string> {
  return `${base}/asset/${name}?v=${await scriptVersion(await scripts[name]())}`;
}

/** `GET asset/<name>`: a script of the built-in pages. */
export async function asset({ url, query }: RoutedRequest): Promise<Reply> {
  const name = url.pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const load = new Map(Object.entries(scripts)).get(name);
  if (load === undefined) throw new UnknownAction('there is no script of this name', { name });
  return scriptReply(await load(), query.v);
}
