import { beforeEach, expect, onTestFinished, vi } from 'vitest';

/** The globals that tests replace, by name. */
const watched: Readonly<Record<string, () => unknown>> = {
  fetch: () => globalThis.fetch,
  setTimeout: () => globalThis.setTimeout,
  setInterval: () => globalThis.setInterval,
  Date: () => globalThis.Date,
  'Date.now': () => Date.now,
  'AbortSignal.timeout': () => AbortSignal.timeout,
  'console.log': () => console.log,
  'console.warn': () => console.warn,
  'console.error': () => console.error,
};

/**
 * Files of one worker share their globals. A test that replaces one of them and does not restore it would change the
 * tests after it, so it fails here. The check is registered before each test and runs after all hooks of that test.
 */
beforeEach(() => {
  const before = Object.entries(watched).map(([name, read]) => ({ name, read, value: read() }));
  onTestFinished(() => {
    const isFake = vi.isFakeTimers();
    vi.useRealTimers();
    const left = before.filter(({ read, value }) => read() !== value && vi.isMockFunction(read()));
    const names = [...(isFake ? ['fake timers'] : []), ...left.map(({ name }) => `a mock of ${name}`)];
    if (left.length > 0) vi.restoreAllMocks();
    expect(names, 'a test must restore what it replaces').toEqual([]);
  });
});
