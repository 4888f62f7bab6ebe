/**
 * Milliseconds that a row outlives its expiry: an hour. So it is core that judges what has expired, by its own clock, and the
 * server's clock does not matter.
 */
export const KEEP: number = 60 * 60 * 1000;

/** How long a row lives, in milliseconds from now; never less than {@link KEEP}. */
export function lifetime(expires: Date, now: Date): string {
  return String(Math.max(expires.getTime() - now.getTime(), 0) + KEEP);
}
