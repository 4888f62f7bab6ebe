import type { Reply, RoutedRequest } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import { scriptReply, scriptVersion } from '../wire/page.ts';
import { type ScriptName, scriptNames } from './script-names.ts';

/** Applications without passkeys do not load their script. */
const scripts: Readonly<Record<ScriptName, () => Promise<string>>> = {
  'page.js': async () => (await import('../views/page-script.ts')).pageScript,
  'passkey.js': async () => (await import('../views/passkey-script.ts')).passkeyScript,
};

/**
 * Returns the URL of a script.
 *
 * @param base Origin and base path.
 */
export async function scriptUrl(base: string, name: ScriptName): Promise<string> {
  return `${base}/asset/${name}?v=${await scriptVersion(await scripts[name]())}`;
}

/** `GET asset/<name>`: a script of the built-in pages. */
export async function asset({ part, query }: RoutedRequest): Promise<Reply> {
  const name = scriptNames.find((each) => each === part);
  if (name === undefined) throw new UnknownAction('there is no script of this name', { name: part });
  return scriptReply(await scripts[name](), query.v);
}
