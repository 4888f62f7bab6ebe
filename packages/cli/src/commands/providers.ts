import { factsOf } from '../load/frameworks.ts';
import { detectFramework } from '../load/project.ts';
import { providers as known, type ProviderFacts } from '../provider-facts.ts';
import { Failure, type Terminal } from '../terminal.ts';

/** Options of {@link providers}. */
export interface ProvidersOptions {
  readonly origin: string;
  readonly basePath?: string | undefined;
}

/** Prints the list of providers, or how to set one of them up. It needs no network. */
export function providers(id: string | undefined, options: ProvidersOptions, terminal: Terminal): 0 | 1 | 2 {
  if (id === undefined) {
    for (const one of known) terminal.print(`${one.id.padEnd(24)}${one.name}`);
    return 0;
  }
  const found = known.find((one) => one.id === id) ?? known.find((one) => one.file === id);
  if (!found) throw new Failure(`no provider has the id ${JSON.stringify(id)}.${suggestion(id)}`);
  const base = originOf(options.origin) + basePathOf(options.basePath, terminal.cwd);
  for (const line of linesOf(found, base)) terminal.print(line);
  return 0;
}

function* linesOf({ id, file, factory, type, env, scopes, register, issuer, see }: ProviderFacts, base: string) {
  yield `Register: ${register}`;
  if (type === 'oauth' || type === 'oidc' || type === 'email') {
    yield `${type === 'email' ? 'Mailed links open' : 'Callback URL'}: ${base}/callback/${id}`;
  }
  const names = env.map((part) => `AUTH_${id.toUpperCase().replaceAll('-', '_')}_${part}`);
  if (names.length > 0) yield `Set ${enumerated(names)}.${scopes ? ` Scopes: ${scopes}` : ''}`;
  if (issuer) yield `Issuer: ${issuer}`;
  yield `Import: import ${factory} from '@latchkey/core/providers/${file}'`;
  yield `Documentation: ${see.join(' ')}`;
}

function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Failure(`--origin must be an http or https URL: ${JSON.stringify(text)}`);
}

function basePathOf(given: string | undefined, cwd: string): string {
  const path = given ?? factsOf(detectFramework(cwd)).basePath;
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

function suggestion(id: string): string {
  const start = id.slice(0, 3).toLowerCase();
  const similar = known.filter((one) => one.id.startsWith(start) || one.id.includes(id)).map((one) => one.id);
  const list = similar.length > 0 ? ` Similar ids: ${similar.slice(0, 5).join(', ')}.` : '';
  return `${list} Run \`latchkey providers\` for the list. For another OpenID provider, no list is needed: give \`issuer\``;
}
