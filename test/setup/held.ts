import { afterAll, expect } from 'vitest';

/** Resources of Node.js that keep a process alive: listening servers, programs, watched files, timers. */
const HELD: ReadonlySet<string> = new Set(['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap', 'Timeout']);

/** Returns how many of them this worker has. Timers and handles that are unreferenced do not count. */
function held(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (HELD.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

/** Files of one worker follow each other. A file must not be blamed for handles that an earlier one has left. */
const worker = globalThis as { heldBefore?: Map<string, number> };

/**
 * A file that leaves a server, a program or a timer behind would disturb the files after it. The setup file is loaded
 * first, so this hook runs after all others.
 */
afterAll(async () => {
  const known = worker.heldBefore ?? new Map<string, number>();
  const left = (): string[] => [...held()].flatMap(([type, count]) => (count > (known.get(type) ?? 0) ? [type] : []));
  // A handle that is closing needs a few rounds of the event loop. Timers of a closed connection may last seconds.
  for (let round = 0; round < 1000 && left().length > 0; round++) {
    await new Promise<void>((resolve) => setTimeout(resolve, 20).unref());
  }
  const types = left();
  worker.heldBefore = new Map([...known, ...held()]);
  expect(types, 'a file must close its servers, programs and timers').toEqual([]);
}, 40_000);
