/** A figure outside the table, and its upper bound. */
export interface Figure {
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  readonly most?: number | undefined;
  /** The figure of Auth.js. */
  readonly peer?: number | undefined;
  /** The parts of the value. */
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

/** Tests whether a figure is within its bound. A figure without a bound always is. */
function isReached({ value, most }: Figure): boolean {
  return most === undefined || value <= most;
}

/** Returns a figure as a line. */
export function figureLine(figure: Figure): string {
  const { title, value, unit, most, peer, parts } = figure;
  const number = (one: number): string => (Math.abs(one) >= 100 ? one.toFixed(0) : one.toFixed(1));
  const bound = most === undefined ? '' : `(at most ${number(most)})`;
  const beside = peer === undefined ? '' : `@auth/core: ${number(peer)}`;
  const made = parts
    ? Object.entries(parts)
        .map(([name, part]) => `${name} ${number(part)}`)
        .join(', ')
    : '';
  const verdict = most === undefined ? '' : isReached(figure) ? 'yes' : 'NO';
  return [
    title.padEnd(46),
    `${number(value)} ${unit}`.padStart(12),
    bound.padEnd(16),
    verdict.padEnd(4),
    [beside, made].filter(Boolean).join('; '),
  ]
    .join(' ')
    .trimEnd();
}
