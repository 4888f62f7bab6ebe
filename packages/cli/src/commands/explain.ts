import { Application } from '../load/application.ts';
import { applicationEnv } from '../load/env-files.ts';
import { authFileOf, projectIn } from '../load/project.ts';
import type { Explained, SentRequest } from '../load/protocol.ts';
import { Failure, type Terminal } from '../terminal.ts';

/** Options of {@link explain}. */
export interface ExplainOptions {
  readonly config?: string | undefined;
  readonly envFile?: string | undefined;
  readonly url?: string | undefined;
}

/** Reads a request from the standard input, and prints why it has no session, or why it is refused. */
export async function explain(options: ExplainOptions, terminal: Terminal): Promise<0 | 1> {
  const project = projectIn(terminal.cwd);
  const file = authFileOf(project, options.config);
  const env = applicationEnv(project, terminal.env, options.envFile);
  const site = siteOf(options.url ?? env.values['AUTH_URL']);
  const application = await Application.load(project, env, file);
  try {
    const request = requestIn(terminal.input(), site, `${application.loaded.basePath}/session`);
    const explained = await application.explain(request);
    for (const line of linesOf(explained)) terminal.print(line);
    return explained.outcome === 'session' || explained.outcome === 'accepted' ? 0 : 1;
  } finally {
    application.end();
  }
}

function siteOf(url: string | undefined): string | undefined {
  if (url === undefined || url === '') return undefined;
  const site = URL.parse(url);
  if (site && /^https?:$/.test(site.protocol)) return site.origin;
  throw new Failure(`the URL of the site must be an http or https URL: ${JSON.stringify(url)}. Set AUTH_URL or --url`);
}

const REQUEST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/;
const HEADER = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/;

/**
 * Reads an HTTP request, header lines alone, or the value of a `Cookie` header.
 *
 * @throws {Failure} for any other text. The message does not quote it.
 */
export function requestIn(text: string, site: string | undefined, sessionPath: string): SentRequest {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').trimStart().split(/\n\n/);
  const lines = head.split('\n').map((line) => line.trim());
  const [, method = 'GET', target = sessionPath] = REQUEST_LINE.exec(lines[0] ?? '') ?? [];
  const others = REQUEST_LINE.test(lines[0] ?? '') ? lines.slice(1) : lines;
  const headers = others.filter((line) => line !== '').map(headerIn);
  if (headers.length === 0 && target === sessionPath) {
    throw new Failure(
      'the standard input is empty. Pass an HTTP request or a Cookie header, for example with `< request.txt`',
    );
  }
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const origin = site ?? `http://${host ?? 'localhost:3000'}`;
  const url = URL.parse(target, origin);
  if (!url) throw new Failure('the target of the request is not a URL or a path');
  const body = rest.join('\n\n');
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== '';
  return { method, url: url.href, headers, body: hasBody ? body.trimEnd() : null };
}

function headerIn(line: string): readonly [string, string] {
  const [, name, value = ''] = HEADER.exec(line) ?? [];
  if (name !== undefined) return [name, value];
  if (/^[^\s=;]+=/.test(line)) return ['cookie', line];
  throw new Failure('the standard input must be an HTTP request, or a Cookie header: `name=value; name=value`');
}

function* linesOf({ outcome, cause, text, remedy, facts, steps }: Explained): Iterable<string> {
  yield cause === undefined ? outcome : `${outcome}  ${cause}`;
  if (text !== undefined) yield text;
  if (remedy !== undefined) yield remedy;
  const known = Object.entries(facts);
  const widest = Math.max(0, ...known.map(([name]) => name.length));
  for (const [name, value] of known) yield `  ${name.padEnd(widest + 2)}${textOf(value)}`;
  yield 'Checked:';
  for (const step of steps) yield `  ${step}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
