/**
 * A clock that only moves when a test moves it. Pass its `now` to the code that needs the time.
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

  /** Returns the current instant, as a new `Date`. Bound: it can be passed as a function. */
  readonly now: () => Date = () => new Date(this.#milliseconds);

  /** Moves the clock by seconds, which may be negative or a fraction. Returns the new instant. */
  advance(seconds: number): Date {
    this.#milliseconds += Math.round(seconds * 1000);
    return this.now();
  }

  /** Moves the clock to an instant, forwards or backwards. Returns the instant. */
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
