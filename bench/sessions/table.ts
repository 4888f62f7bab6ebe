import type { Figure } from './measure.ts';

/** Prints figures below a title. Compare the ratios: the times depend on the machine. */
export function printTable(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  console.log(`\n${title}`);
  for (const { name, microseconds, ratio } of figures) {
    console.log(`  ${name.padEnd(width)}  ${microseconds.toFixed(1).padStart(8)} µs  ${ratio.toFixed(2).padStart(5)}`);
  }
}
