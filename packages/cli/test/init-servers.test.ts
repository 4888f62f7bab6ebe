import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { available, mariadb, postgres, startable, startRedis } from '../../../test/services/index.ts';
import { latchkey, writeProject } from './fixtures/project.ts';
import { addClient, type Running, signIn, start } from './fixtures/running.ts';

const opened: { stop?: () => Promise<void>; remove?: () => void }[] = [];
afterEach(async () => {
  for (const { stop, remove } of opened.splice(0)) {
    await stop?.();
    remove?.();
  }
});

const PRINT = "console.log('http://localhost:' + server.address().port)";

/** Servers as their frameworks' guides begin them. `LINES` stands for the lines that `init` prints. */
const servers: Record<string, string> = {
  express: `import express from 'express';
IMPORT
const app = express();
LINES
const server = app.listen(0, () => ${PRINT});`,
  hono: `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
IMPORT
const app = new Hono();
LINES
const server = serve({ fetch: app.fetch, port: 0 }, () => ${PRINT});`,
  fastify: `import fastify from 'fastify';
IMPORT
const app = fastify();
LINES
await app.listen({ port: 0 });
const { server } = app;
${PRINT};`,
  h3: `import { H3, serve } from 'h3';
IMPORT
const app = new H3();
LINES
const running = serve(app, { port: 0, silent: true });
await running.ready();
const { server } = running.node;
${PRINT};`,
  node: `import { createServer } from 'node:http';
IMPORT
const server = LINES
server.listen(0, () => ${PRINT});`,
};

/** Returns the indented lines that \`init\` prints. */
function linesFor(printed: string): { first: string; others: string } {
  const [first = '', ...others] = printed.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
  return { first, others: others.join('\n').replace('// …', 'response.writeHead(404).end();') };
}

/** Writes an application with `init`, adds what it prints to a server, signs in, and asks `doctor`. */
async function signInAt(
  framework: string,
  language: string,
  store: string | undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const project = writeProject({ files: language === 'TypeScript' ? { 'tsconfig.json': '{}' } : {} });
  opened.push(project);
  const { root } = project;
  const printed = await latchkey(root, ['init', framework, ...(store === undefined ? [] : ['--store', store])]);
  const { first, others } = linesFor(printed.out);
  const server = (servers[framework] ?? '').replace('IMPORT', first).replace('LINES', others);
  writeFileSync(join(root, 'server.js'), server);
  addClient(root, '.env');
  for (const [name, value] of Object.entries(env)) appendFileSync(join(root, '.env'), `${name}=${value}\n`);
  const running: Running = await start(root, '--env-file=.env', 'server.js');
  opened.unshift(running);
  expect(await signIn(running, '/auth'), running.log()).toMatchObject({
    user: { name: 'Ada', email: 'ada@example.com' },
  });
  const { code, out } = await latchkey(root, ['doctor', '--env-file', '.env', '--json']);
  expect([code, JSON.parse(out).findings]).toEqual([0, []]);
  expect(readFileSync(join(root, '.env'), 'utf8')).toContain('AUTH_SECRET="');
}

it.each([
  ['express', 'TypeScript', undefined],
  ['express', 'JavaScript', 'sqlite'],
  ['hono', 'TypeScript', 'sqlite'],
  ['hono', 'JavaScript', undefined],
  ['fastify', 'TypeScript', 'sqlite'],
  ['h3', 'JavaScript', undefined],
  ['node', 'TypeScript', undefined],
  ['node', 'JavaScript', 'sqlite'],
])('the files for %s in %s sign in, with store: %s', signInAt);

const databases = [
  ['postgres', 'DATABASE_URL', 'postgres', postgres],
  ['mysql', 'DATABASE_URL', 'mariadb', mariadb],
] as const;
for (const [store, variable, kind, server] of databases) {
  it.skipIf(!(await available(kind)))(`the files with the store ${store} sign in`, async () => {
    const database = await (await server()).fresh();
    opened.push({ stop: () => database.drop() });
    await signInAt('express', 'TypeScript', store, { [variable]: database.url });
  });
}

it.skipIf(!(await startable('redis')))('the files with the store redis sign in', async () => {
  // The adapter has its usual prefix, so the server must be empty.
  const server = await startRedis();
  opened.push({ stop: () => server.stop() });
  await signInAt('node', 'TypeScript', 'redis', { REDIS_URL: server.url });
});
