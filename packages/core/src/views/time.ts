const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/**
 * Returns a duration in words, rounded down, in the largest unit that gives at least 2: "24 hours", "15 minutes". A
 * non-breaking space separates number and unit.
 *
 * @param seconds At least 0.
 */
export function timeInWords(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= 2 * unit) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count}\u00A0${name}${count === 1 ? '' : 's'}`;
}
