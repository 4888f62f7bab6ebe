import type { Reply, RoutedRequest } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import { passkeyScript } from '../views/passkey-script.ts';
import { scriptReply, scriptVersion } from '../wire/page.ts';

/** Scripts of the built-in pages, by name. */
const scripts: ReadonlyMap<string, string> = new Map([['passkey.js', passkeyScript]]);

/** The path of the script for pages with passkeys. */
export async function passkeyScriptPath(basePath: string): Promise<string> {
  return `${basePath}/asset/passkey.js?v=${await scriptVersion(passkeyScript)}`;
}

/** `GET asset/<name>`: a script of the built-in pages. */
export async function asset({ url, query }: RoutedRequest): Promise<Reply> {
  const name = url.pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const script = scripts.get(name);
  if (script === undefined) throw new UnknownAction('there is no script of this name', { name });
  return scriptReply(script, query.v);
}
