/**
 * A clock that stands still until it is told to move. Hand its `now` to whatever needs the time.
 *
 * ```ts
 * const clock = new Clock('2026-03-01T12:00:00Z');
 * const browser = new Browser(handler, { origin: 'https://app.test', now: clock.now });
 * clock.advance(15 * 60);
 * ```
 */
export class Clock {
  #milliseconds: number;

  /** @param start The first instant. Default: 2026-01-01T00:00:00Z. */
  constructor(start: Date | string = '2026-01-01T00:00:00Z') {
    this.#milliseconds = toMilliseconds(start);
  }

  /** The current instant, a new `Date` at each call. Bound: it may be passed on as a bare function. */
  readonly now: () => Date = () => new Date(this.#milliseconds);

  /** Moves the clock by a number of seconds (fractions and negative numbers are fine); returns the new instant. */
  advance(seconds: number): Date {
    this.#milliseconds += Math.round(seconds * 1000);
    return this.now();
  }

  /** Moves the clock to an instant, forwards or backwards; returns it. */
  set(date: Date | string): Date {
    this.#milliseconds = toMilliseconds(date);
    return this.now();
  }
}

function toMilliseconds(date: Date | string): number {
  const milliseconds = new Date(date).getTime();
  if (Number.isNaN(milliseconds)) throw new TypeError(`not a date: ${String(date)}`);
  return milliseconds;
}
