import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from './charges.ts';

/*
 * A program that outlives the tests for a moment. It hears over its standard input which servers run; when that closes, because
 * the worker has ended or somebody has killed it, it ends these servers and removes their folders.
 */
/** Milliseconds that a server has to end after its signal. */
const patience = 2000;

const charges = new Map<string, Charge>();
for await (const line of createInterface({ input: process.stdin })) {
  const charge: Charge = JSON.parse(line);
  if (charge.done) charges.delete(charge.folder);
  else charges.set(charge.folder, charge);
}
await Promise.all([...charges.values()].map(end));

async function end({ folder, process: running }: Charge): Promise<void> {
  if (running) {
    signal(running.pid, running.signal);
    for (let waited = 0; waited < patience && signal(running.pid, 0); waited += 50) await sleep(50);
    signal(running.pid, 'SIGKILL');
  }
  // What ends by itself after its parent may still write for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Signals a process and all of its group; `false` when there is none. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}
