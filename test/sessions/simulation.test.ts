import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Findings } from './simulation.ts';

const run = promisify(execFile);

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Simulates a process for some seconds. Garbage is collected before the memory is read. */
async function simulate(seconds: number, busyShare: number): Promise<Findings> {
  const sources = path('../../packages/adapter-sql/test/faults/sources.mjs');
  const options = ['--expose-gc', '--import', sources, path('simulation.ts')];
  const { stdout } = await run(process.execPath, [...options, String(seconds), String(busyShare)]);
  return JSON.parse(stdout) as Findings;
}

it('a process with ten million live sessions checks each once per lag, and accepts none after its end', async () => {
  const { reads, calls, expected, ends, late, lost } = await simulate(12, 0.9);
  expect(reads).toBeGreaterThan(240_000);
  expect(ends).toBeGreaterThan(400);
  expect([late, lost]).toEqual([0, 0]);
  // A session that another process has ended is not remembered, so a further read of it is a further call.
  expect(Math.abs(calls - expected)).toBeLessThanOrEqual(ends);
});

it('a process that reads more sessions than it remembers does not grow', async () => {
  const { reads, heap, late, lost } = await simulate(10, 0);
  expect(reads).toBeGreaterThanOrEqual(200_000);
  expect([late, lost]).toEqual([0, 0]);
  // From 160,000 sessions to 200,000: the table of the map has its largest size.
  const [first = 0, before = 0, last = 0] = [0, 8, 10].map((tenth) => heap[tenth]);
  expect(last - before, 'megabytes after 160,000 sessions').toBeLessThan(1);
  expect(last - first, 'megabytes with the code that has been compiled').toBeLessThan(20);
});
