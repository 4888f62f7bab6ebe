import { readFileSync } from 'node:fs';
import { MARK, type Task } from './task.ts';
import { callsDuring } from './traps.ts';

// On Node.js, Bun and Deno: `<runtime> process.js <file with the task>`.
const { by, engine, fromOthers } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Task;

const atImport = await callsDuring(async () => {
  await import('@latchkey/core');
  await import('@latchkey/core/jwt');
  await import('@latchkey/core/binding');
  await import('@latchkey/core/client');
  await import('@latchkey/core/providers');
  await import('@latchkey/core/providers/passkey');
  await import('@latchkey/express');
});
// The engine is chosen at the first use: without this function there is no synchronous one to be found.
if (engine === 'web') Object.assign(process, { getBuiltinModule: undefined });

const { report } = await import('../portable/main.ts');
const { passkeyJourney } = await import('../portable/passkey-journey.ts');
const { express } = await import('./express.ts');
const world = { engine, env: process.env, atImport, fromOthers };
console.log(MARK + JSON.stringify(await report(by, world, { ...passkeyJourney, ...express })));
