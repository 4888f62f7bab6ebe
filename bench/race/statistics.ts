/** Returns the median of a list; `NaN` if it is empty. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns a quantile of a list, interpolated; `NaN` if it is empty. `part` is from 0 to 1. */
function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number];
  return below + (above - below) * (place - Math.floor(place));
}

/** Returns half the distance between the quartiles, relative to the median. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

/** Shuffles a list in place. */
export function shuffle(list: unknown[]): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}
