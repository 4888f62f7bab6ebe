import { expect, vi } from 'vitest';

/**
 * Makes the deadlines of `AbortSignal.timeout` a hundred times shorter, until mocks are restored. Returns the list of
 * the requested milliseconds.
 */
export function windForward(): readonly number[] {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const asked: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    asked.push(milliseconds);
    return timeout(milliseconds / 100);
  });
  return asked;
}

/**
 * Expects a deadline, and that the longest is this long or a little shorter, because a caller may request the remaining
 * part of a deadline.
 */
export function expectDeadlines(asked: readonly number[], milliseconds: number): void {
  expect(asked.length).toBeGreaterThan(0);
  expect(Math.max(...asked)).toBeLessThanOrEqual(milliseconds);
  expect(Math.max(...asked)).toBeGreaterThan(milliseconds * 0.9);
}
