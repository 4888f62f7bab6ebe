import { describe, expect, it } from 'vitest';
import { trimmedPath } from '../../src/binding.ts';

describe('a base path', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['auth', '/auth'],
    ['/auth', '/auth'],
    ['//auth//', '/auth'],
    ['/api//auth/', '/api//auth'],
  ])('%j is written as %j', (path, expected) => {
    expect(trimmedPath(path)).toBe(expected);
  });

  it('of slashes takes little time', () => {
    const before = cpuUsage();
    // An algorithm with quadratic time would take several seconds.
    expect(trimmedPath(`x${'/'.repeat(50_000)}x`)).toHaveLength(50_003);
    expect(cpuUsage().user - before.user).toBeLessThan(1_000_000);
  });
});

/** Microseconds of this thread, which other work does not change. */
function cpuUsage(): NodeJS.CpuUsage {
  return (process.threadCpuUsage ?? process.cpuUsage)();
}
