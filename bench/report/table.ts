import type { RowResult } from '../race/measure-row.ts';

const columns = [34, 11, 18, 20, 8, 8, 4, 16];

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(columns[0] as number) : cell.padStart(columns[index] as number)))
    .join(' ')
    .trimEnd();
}

/** Returns the head of the table. */
export function tableHead(): string {
  return line(['', 'µs (CPU)', '× @auth/core', 'of the limit', 'better', '±', '']);
}

/** Returns a line: the figures, and in brackets their goals. */
export function tableLine({
  title,
  time,
  over,
  share,
  same,
  within,
  overBetterAuth,
  overBefore,
  spread,
  goal,
  reached,
}: RowResult): string {
  const times = over === undefined ? '' : `${over.toFixed(1)}${goal.over ? ` (${goal.over})` : ''}`;
  const part = share === undefined ? '' : `${percent(share)}${goal.share ? ` (${percent(goal.share)})` : ''}`;
  const unchanged = same === undefined || within === undefined ? '' : `× ${same.toFixed(2)} (± ${within})`;
  const better = overBetterAuth === undefined ? '' : overBetterAuth.toFixed(1);
  return line([
    title,
    time.cpu.toFixed(1),
    times,
    part || unchanged,
    better,
    percent(spread),
    reached ? 'yes' : 'NO',
    overBefore === undefined ? '' : `× ${overBefore.toFixed(2)} of before`,
  ]);
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
