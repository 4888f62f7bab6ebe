import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from './charges.ts';

/*
 * A program that cleans up after a worker of the tests. It reads from its standard input which servers run. The input
 * closes when the worker has ended or was killed. Then the program ends these servers and removes their folders.
 */

/** Milliseconds that a server may take to end after its signal. */
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
  // A process that ends after its parent may still write for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Sends a signal to a process group; `false` if the group does not exist. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}
