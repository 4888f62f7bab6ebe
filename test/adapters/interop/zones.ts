import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { WorldKind } from './world.ts';

const program = fileURLToPath(new URL('elsewhere.ts', import.meta.url));
const sources = new URL('../../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url).href;

/** Registers that instants are the same by either adapter, in a process and on connections whose zones are not UTC. */
export function instantsAreKept(kinds: readonly WorldKind[], ...parameters: readonly 'prisma'[]): void {
  it('instants are the same by either adapter, in zones that are not UTC', async () => {
    const env = { ...process.env, TZ: 'America/New_York' };
    const started = promisify(execFile)(process.execPath, ['--import', sources, program, ...parameters], { env });
    const titles = kinds.filter(({ isAvailable }) => isAvailable).map(({ title }) => title);
    expect((await started).stdout.trim().split('\n')).toEqual([
      ...titles.map((title) => `${title}: exact`),
      'offset: 300',
    ]);
  });
}
