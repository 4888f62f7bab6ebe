import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../race/statistics.ts';
import { inChild } from './child.ts';
import type { Figure } from './figure.ts';

/** Measures the first import, and the first answer of a server. Each start is a new process; the kinds take turns. */
export async function startFigures(rounds: number): Promise<Figure[]> {
  const times: Record<'ours' | 'peer' | 'sql' | 'bare' | 'first', number[]> = {
    ours: [],
    peer: [],
    sql: [],
    bare: [],
    first: [],
  };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await importTime("import('@latchkey/core')"));
    times.peer.push(await importTime('peer()'));
    times.sql.push(await importTime("import('@latchkey/adapter-sql')"));
    times.bare.push(await firstAnswer(EMPTY));
    times.first.push(await firstAnswer(WITH_US));
  }
  const bare = median(times.bare);
  return [
    {
      title: 'import of @latchkey/core, cold',
      value: median(times.ours),
      unit: 'ms',
      most: 10,
      peer: median(times.peer),
    },
    { title: 'import of @latchkey/adapter-sql, cold', value: median(times.sql), unit: 'ms' },
    {
      title: 'first answer after a start, beyond an empty server',
      value: (median(times.first.map((time, round) => time / (times.bare[round] as number))) - 1) * 100,
      unit: '%',
      most: 20,
      parts: { 'empty (ms)': bare, ours: median(times.first) },
    },
  ];
}

function importTime(what: string): Promise<number> {
  return inChild(`const start = performance.now(); await ${what}; console.log(performance.now() - start);`);
}

const serve = (answer: string): string => `
import { createServer } from 'node:http';
const server = createServer(${answer});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

const EMPTY = serve(`(request, response) => response.end('null')`);
/** As bindings for Node.js do, without `Request` and `Response`. */
const WITH_US = `
import { answerNodeRequest, withEnv } from '@latchkey/core/binding';
const secret = 'a-secret-for-measurements-of-more-than-32-characters';
const configured = withEnv({ providers: [], secret, trustHost: true }, {});
${serve(`(request, response) => answerNodeRequest(request, response, configured, {
  origin: 'http://localhost:3000', path: request.url, basePath: '/auth',
})`)}`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Milliseconds from the start of a process to the end of its first answer. */
async function firstAnswer(code: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/auth/session`);
    await answer.text();
    return performance.now() - start;
  } finally {
    child.kill();
  }
}
