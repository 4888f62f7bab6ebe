import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What the guard (`guard.ts`) has to put away if we do not: a folder and the process that works in it. */
export interface Charge {
  readonly folder: string;
  /** The leader of a process group, and what ends it. */
  readonly process?: { readonly pid: number; readonly signal: NodeJS.Signals } | undefined;
  /** We have put it away ourselves. */
  readonly done?: true;
}

/** The guard of this worker, once there is one. */
const guards: Writable[] = [];

/** Tells the guard how things stand with a folder. */
export function charge(about: Charge): void {
  guards[0] ??= startGuard();
  guards[0].write(`${JSON.stringify(about)}\n`);
}

function startGuard(): Writable {
  const program = fileURLToPath(new URL('./guard.ts', import.meta.url));
  // Detached, or Ctrl-C in the terminal would end the guard before its work.
  const guard = spawn(process.execPath, [program], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.unref();
  const { stdin } = guard;
  // Without a guard the tests can still run.
  stdin.on('error', () => undefined);
  return stdin;
}
