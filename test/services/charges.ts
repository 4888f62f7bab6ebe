import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A folder, and the process that works in it. The guard (`guard.ts`) removes them if the tests do not. */
export interface Charge {
  readonly folder: string;
  /** The leader of a process group, and the signal that ends it. */
  readonly process?: { readonly pid: number; readonly signal: NodeJS.Signals } | undefined;
  /** Present if the tests have removed the folder. */
  readonly done?: true;
}

/** The standard input of this worker's guard; empty before the first report. */
const guards: Writable[] = [];

/** Reports the state of a folder to the guard. */
export function charge(about: Charge): void {
  guards[0] ??= startGuard();
  guards[0].write(`${JSON.stringify(about)}\n`);
}

function startGuard(): Writable {
  const program = fileURLToPath(new URL('./guard.ts', import.meta.url));
  // Detached, because Ctrl-C in the terminal would otherwise end the guard, too.
  const guard = spawn(process.execPath, [program], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.unref();
  const { stdin } = guard;
  // If the guard has ended, the tests continue without it.
  stdin.on('error', () => undefined);
  return stdin;
}
