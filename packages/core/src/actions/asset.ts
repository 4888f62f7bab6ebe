import type { Reply, RoutedRequest } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import { pageScript } from '../views/page-script.ts';
import { passkeyScript } from '../views/passkey-script.ts';
import { scriptReply, scriptVersion } from '../wire/page.ts';

/** A script of the built-in pages. */
export type ScriptName = 'page.js' | 'passkey.js';

const scripts: Readonly<Record<ScriptName, string>> = { 'page.js': pageScript, 'passkey.js': passkeyScript };

/**
 * Returns the URL of a script.
 *
 * @param base Origin and base path.
 */
export async function scriptUrl(base: string, name: ScriptName): Promise<string> {
  return `${base}/asset/${name}?v=${await scriptVersion(scripts[name])}`;
}

/** `GET asset/<name>`: a script of the built-in pages. */
export async function asset({ url, query }: RoutedRequest): Promise<Reply> {
  const name = url.pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const script = new Map(Object.entries(scripts)).get(name);
  if (script === undefined) throw new UnknownAction('there is no script of this name', { name });
  return scriptReply(script, query.v);
}
