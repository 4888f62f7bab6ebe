import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Contender, Work, Workshop } from './race/work.ts';

/*
 * Profiles a row: `node bench/profile.ts <work> [parameter as JSON] [contender] [--seconds=2]
 * [--lines=40]`.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    lines: { type: 'string', default: '40' },
    portable: { type: 'boolean', default: false },
  },
});
const [file = '', parameter = '{}', contender = 'latchkey'] = positionals;
if (values.portable) process.getBuiltinModule = (() => undefined) as never;

const { workshop } = (await import(`./tasks/${file}.ts`)) as { workshop: Workshop };
const make = workshop[contender as Exclude<Contender, 'before'>] as (parameter: unknown) => Promise<Work>;
const work = await make(JSON.parse(parameter));
await work.answer();
await repeat(4);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
await session.post('Profiler.start');
const runs = await repeat(Number(values.seconds));
const { profile } = await session.post('Profiler.stop');

async function repeat(seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let runs = 0;
  while (performance.now() < end) {
    for (let n = 0; n < 20; n++) await work.run();
    runs += 20;
  }
  return runs;
}

interface Place {
  self: number;
  total: number;
}

const places = new Map<string, Place>();
const parents = new Map<number, number>();
const names = new Map<number, string>();
for (const node of profile.nodes) {
  const { functionName, url, lineNumber, columnNumber } = node.callFrame;
  names.set(node.id, nameOf(functionName || '(anonymous)', url, lineNumber, columnNumber));
  for (const child of node.children ?? []) parents.set(child, node.id);
}
const idle = new Set(['(idle)', '(root)']);
let all = 0;
for (const sample of profile.samples ?? []) {
  const own = names.get(sample) ?? '';
  if (idle.has(own)) continue;
  all++;
  placeOf(own).self++;
  const seen = new Set<string>();
  for (let node: number | undefined = sample; node !== undefined; node = parents.get(node)) {
    const name = names.get(node) ?? '';
    if (seen.has(name)) continue;
    seen.add(name);
    placeOf(name).total++;
  }
}

function placeOf(name: string): Place {
  const place = places.get(name) ?? { self: 0, total: 0 };
  places.set(name, place);
  return place;
}

function nameOf(name: string, url: string, line: number, column: number): string {
  if (url === '') return name;
  if (!url.startsWith('file:')) return `${name} ${url}:${line + 1}`;
  const path = fileURLToPath(url);
  const mapped = sourceOf(path, line, column);
  return `${name} ${relative(process.cwd(), mapped.path)}:${mapped.line}`;
}

function sourceOf(path: string, line: number, column: number): { path: string; line: number } {
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    const entry = map.findEntry(line, column);
    if ('originalLine' in entry)
      return { path: resolve(dirname(path), entry.originalSource), line: entry.originalLine + 1 };
  } catch {
    // no map: as it runs
  }
  return { path, line: line + 1 };
}

/** Returns the package or folder of a function's code. */
function ownerOf(name: string): string {
  const path = name.slice(name.lastIndexOf(' ') + 1);
  if (name.startsWith('('))
    return name.split(' ')[0] === '(anonymous)' && path.includes(':') ? ownerOf(`x ${path}`) : name;
  const module = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? /deps\/(undici)/.exec(path)?.[1];
  if (module) return module;
  if (path.startsWith('packages/') || path.startsWith('bench/')) return path.split('/').slice(0, -1).join('/');
  const internal = /node:internal\/(\w+)/.exec(path)?.[1];
  return internal ? `node:${internal}` : 'native';
}

const owners = new Map<string, number>();
for (const [name, { self }] of places) owners.set(ownerOf(name), (owners.get(ownerOf(name)) ?? 0) + self);
const microseconds = (values.seconds ? Number(values.seconds) * 1e6 : 0) / runs;
console.log('by owner, µs of a run');
for (const [owner, self] of [...owners].filter(([, self]) => self > 0).sort((a, b) => b[1] - a[1])) {
  console.log(`${((self / all) * microseconds).toFixed(1).padStart(6)}  ${owner}`);
}

const percent = (samples: number): string => `${((samples / all) * 100).toFixed(1).padStart(5)}%`;
console.log(`${file} ${parameter} ${contender}: ${runs} runs`);
console.log(`self   total`);
for (const [name, { self, total }] of [...places]
  .sort((a, b) => b[1].self - a[1].self)
  .slice(0, Number(values.lines))) {
  console.log(`${percent(self)} ${percent(total)}  ${name}`);
}
console.log('by total, Latchkey');
for (const [name, { self, total }] of [...places]
  .filter(([name]) => /packages|limit/.test(name))
  .sort((a, b) => b[1].total - a[1].total)
  .slice(0, Number(values.lines))) {
  console.log(`${percent(self)} ${percent(total)}  ${name}`);
}
