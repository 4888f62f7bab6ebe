import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from '@latchkey/testing';
import { startProgram, untilAnswers } from '../../examples/shared/program.ts';
import { freePort } from '../services/port.ts';

const root = join(import.meta.dirname, '../..');
const github = pathToFileURL(join(import.meta.dirname, 'github.mjs')).href;

/** The first line of a sample says which file it is: `// app.ts`, `<!-- src/routes/+page.svelte -->`. */
const NAME = /^(?:\/\/|<!--|#) ([\w./[\]+()$-]+\.\w+)(?: -->)?$/;

/** A section of a guide that shows files for one framework. They replace those of the other sections. */
export type Section = 'Express' | 'Next.js' | 'SvelteKit';

/**
 * Returns the files that a page shows, by their path.
 *
 * @param section Default: without the sections for one framework.
 */
export function filesOf(page: string, section?: Section): Map<string, string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const shown = text.replaceAll(/^## (Express|Next\.js|SvelteKit)\n[\s\S]*?(?=^## )/gm, (whole, title) =>
    title === section ? whole : '',
  );
  const blocks = [...shown.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return new Map(
    blocks.flatMap((code) => {
      const name = NAME.exec(code.split('\n', 1)[0] ?? '')?.[1];
      return name === undefined ? [] : [[name, code] as const];
    }),
  );
}

/** Which files of a page are written, and where. */
interface ProjectOptions {
  /** Default: without the sections for one framework. */
  readonly section?: Section | undefined;
  /** Default: `test/docs/projects`. */
  readonly parent?: string;
}

/**
 * Writes the files of a page into a folder of this repository, in which they find its packages.
 *
 * @returns The folder.
 */
export function projectOf(
  page: string,
  others: Readonly<Record<string, string>> = {},
  { section, parent = join(root, 'test/docs/projects') }: ProjectOptions = {},
): string {
  const folder = join(parent, page.replace(/\.md$/, section ? `-${section}` : ''));
  rmSync(folder, { recursive: true, force: true });
  for (const [name, code] of [...filesOf(page, section), ...Object.entries(others)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  return folder;
}

/** Settings as the tutorials have them in `.env`. */
export const settings: Readonly<Record<string, string>> = {
  NODE_ENV: 'development',
  AUTH_SECRET: 'a secret of more than thirty-two characters',
  AUTH_GITHUB_ID: 'github-client',
  AUTH_GITHUB_SECRET: 'github-secret',
};

/** A program of a page that runs. */
export interface Running {
  /** A visitor without cookies, who can also visit these origins. */
  visitor(...origins: string[]): Browser;
  stop(): Promise<void>;
}

/** Starts a program of a page as a reader does, with GitHub's answers from `github.mjs`. */
export async function startPage(
  folder: string,
  program: string,
  env: Readonly<Record<string, string>> = settings,
  port?: number,
): Promise<Running> {
  return startAt(port ?? (await freePort()), folder, program, env);
}

async function startAt(
  port: number,
  folder: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const origin = `http://localhost:${port}`;
  const own = { ...env, PORT: String(port), NODE_OPTIONS: `--import=${github}` };
  const child = startProgram(program, [], { cwd: folder, env: own });
  await untilAnswers(child, origin);
  return { visitor: (...origins) => visitorOf(origin, open, origins), stop: () => stop(child) };
}

/** A browser that agrees at GitHub, and otherwise sends requests as they are. */
export function visitorOf(
  origin: string,
  handler: (request: Request) => Promise<Response> = open,
  others: readonly string[] = [],
): Browser {
  const agree = (request: Request): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = String(new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }));
    return Promise.resolve(new Response(null, { status: 302, headers: { location: back.href } }));
  };
  const routes = Object.fromEntries(others.map((other) => [other, open]));
  return new Browser(handler, { origin, routes: { ...routes, 'https://github.com': agree } });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.kill()) await once(child, 'exit');
}

/** Sends a request as a browser that opens a page. `fetch` would say that a script asks. */
export async function open(request: Request): Promise<Response> {
  const headers = { 'sec-fetch-mode': 'navigate', accept: 'text/html', ...Object.fromEntries(request.headers) };
  const sent = httpRequest(request.url, { method: request.method, headers });
  sent.end(Buffer.from(await request.arrayBuffer()));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const answered = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) answered.append(name, value);
  }
  const status = answer.statusCode ?? 0;
  return new Response([204, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers: answered });
}
