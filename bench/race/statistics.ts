/** The middle of a list; `NaN` of an empty one. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that part of a list lies, interpolated; `NaN` of an empty list. */
export function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number];
  return below + (above - below) * (place - Math.floor(place));
}

/** Half the distance between the quartiles, as a part of the median: how far a single slice is off. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

/** Puts a list into an order drawn by lot. */
export function shuffle(list: unknown[]): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}
