import { vi } from 'vitest';

/** Timers of seconds are deadlines. */
const LONG = 5000;

/**
 * Deadlines are too long for a test: until mocks are restored they are over a hundred times sooner. What was asked for, in
 * milliseconds, is noted in the list that comes back.
 */
export function windForward(): readonly number[] {
  const { setTimeout } = globalThis;
  const asked: number[] = [];
  const sooner = (run: () => void, milliseconds = 0): NodeJS.Timeout => {
    if (milliseconds < LONG) return setTimeout(run, milliseconds);
    asked.push(milliseconds);
    return setTimeout(run, milliseconds / 100);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof setTimeout);
  return asked;
}
