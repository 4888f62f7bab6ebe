import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { type Kind, startable } from './index.ts';
import { segments, segmentsOf } from './memory.ts';
import { isListening, until } from './reach.ts';
import { makeScratch } from './scratch.ts';

const index = new URL('./index.ts', import.meta.url).href;
const kinds: readonly Kind[] = ['postgres', 'mariadb', 'redis'];
const here: Kind[] = [];
for (const kind of kinds) if (await startable(kind)) here.push(kind);

/** Starts one server of each kind. */
const starting = `
  const { startPostgres, startMariadb, startRedis } = await import(${JSON.stringify(index)});
  const starts = { postgres: startPostgres, mariadb: startMariadb, redis: startRedis };
  const urls = [];
  for (const kind of ${JSON.stringify(here)}) urls.push((await starts[kind]()).url);
`;

/** Starts the servers, reports their URLs, and waits. */
const program = (say: string): string => `${starting} ${say} setInterval(() => undefined, 1000);`;

const ends = { skip: here.length === 0, timeout: 120_000 };

it('a killed test run leaves no server and no folder behind', ends, async () => {
  const scratch = makeScratch();
  const source = program('console.log(JSON.stringify(urls));');
  const run = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  const [line] = await once(run.stdout, 'data');
  const urls: string[] = JSON.parse(line);
  expect(await Promise.all(urls.map(isListening))).toEqual(here.map(() => true));
  expect(readdirSync(scratch)).toHaveLength(here.length);
  const memory = segmentsOf(scratch);
  expect(memory).toHaveLength(here.includes('postgres') ? 1 : 0);
  run.kill('SIGKILL');
  await until(async () => !(await Promise.all(urls.map(isListening))).includes(true));
  await until(() => readdirSync(scratch).length === 0);
  expect(segments().filter((segment) => memory.includes(segment))).toEqual([]);
});

it('a program that leaves its servers running can end, and its servers end with it', ends, async () => {
  const scratch = makeScratch();
  const run = spawn(process.execPath, ['--input-type=module', '-e', starting], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  expect(await once(run, 'exit')).toEqual([0, null]);
  await until(() => readdirSync(scratch).length === 0);
});

it('the servers of a worker end with it', ends, async () => {
  const scratch = makeScratch();
  const source = program("(await import('node:worker_threads')).parentPort.postMessage(urls);");
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    env: { ...process.env, TMPDIR: scratch },
  });
  onTestFinished(() => void worker.terminate());
  const [urls]: [string[]] = (await once(worker, 'message')) as [string[]];
  expect(await Promise.all(urls.map(isListening))).toEqual(here.map(() => true));
  expect(readdirSync(scratch)).toHaveLength(here.length);
  await worker.terminate();
  await until(async () => !(await Promise.all(urls.map(isListening))).includes(true));
  await until(() => readdirSync(scratch).length === 0);
});
