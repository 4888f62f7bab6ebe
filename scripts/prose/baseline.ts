import type { Finding } from './findings.ts';

/** The number of findings of each rule in each file. */
export type Baseline = Record<string, Partial<Record<Finding['rule'], number>>>;

/** Counts findings by file and rule, in alphabetical order. */
export function countFindings(findings: readonly Finding[]): Baseline {
  const counts: Baseline = {};
  for (const { path, rule } of findings.toSorted((a, b) => compare(`${a.path} ${a.rule}`, `${b.path} ${b.rule}`))) {
    counts[path] = { ...counts[path], [rule]: (counts[path]?.[rule] ?? 0) + 1 };
  }
  return counts;
}

/** Returns the findings of each file and rule of which there are more than the baseline allows. */
export function worseThan(baseline: Baseline, findings: readonly Finding[]): Finding[] {
  const counts = countFindings(findings);
  return findings.filter(({ path, rule }) => (counts[path]?.[rule] ?? 0) > (baseline[path]?.[rule] ?? 0));
}

/** Returns the rules of which `next` has more findings in total. Findings may move with a file. */
export function grownRules(baseline: Baseline, next: Baseline): string[] {
  const before = totals(baseline);
  return Object.entries(totals(next)).flatMap(([rule, count]) => (count > (before[rule] ?? 0) ? [rule] : []));
}

function totals(baseline: Baseline): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const file of Object.values(baseline)) {
    for (const [rule, count] of Object.entries(file)) sums[rule] = (sums[rule] ?? 0) + count;
  }
  return sums;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
