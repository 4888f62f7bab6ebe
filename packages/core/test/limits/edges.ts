import { vi } from 'vitest';
import { type Door, doors } from '../flows/doors.ts';

/** What is bounded is bounded behind the doors: one of them will do, unless a test says otherwise. */
export const door = doors[0] as Door;

export const SESSION = 'authjs.session-token';
export const ORIGIN = 'http://localhost:3000';

/** A text of exactly so many characters. */
export function text(length: number): string {
  return 'x'.repeat(length);
}

/** A limit, and one step more. */
export function edge(limit: number): readonly [atLimit: number, beyond: number] {
  return [limit, limit + 1];
}

/** Timers stand still until a test moves them on. */
export function handTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Waits for something that needs no timer. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
