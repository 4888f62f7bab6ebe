/**
 * A part that may be down. `keys`: the provider has new keys, which the applications load at most once a minute.
 */
export type Part = 'application' | 'postgres' | 'redis' | 'provider' | 'keys';

/** Milliseconds after a part is back in which it still counts as down: what was under way then may have met it. */
export const GRACE = 500;

interface Span {
  readonly part: Part;
  readonly from: number;
  to: number;
}

/** The times when each part was down. Only then, errors of requests that need the part are excused. */
export class Windows {
  readonly #spans: Span[] = [];
  readonly #now: () => number;

  /** @param now Milliseconds of a clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Opens a window, just before the part goes down. The returned function closes it, when the part is available again.
   */
  open(part: Part): () => void {
    const span: Span = { part, from: this.#now(), to: Number.POSITIVE_INFINITY };
    this.#spans.push(span);
    return () => {
      span.to = Math.min(span.to, this.#now() + GRACE);
    };
  }

  /** Those of the parts that were down at some time since `from`. */
  met(parts: readonly Part[], from: number): Part[] {
    const found = this.#spans.filter((span) => parts.includes(span.part) && span.to >= from);
    return [...new Set(found.map(({ part }) => part))];
  }

  /** Is a part down, and not back yet? */
  isDown(part: Part): boolean {
    return this.#spans.some((span) => span.part === part && span.to === Number.POSITIVE_INFINITY);
  }

  /** How often the part went down. */
  count(part: Part): number {
    return this.#spans.filter((span) => span.part === part).length;
  }
}
