import { type Library, latchkey, peer } from '../peers/libraries.ts';
import { type Intended, intended } from './intended.ts';
import { type Scenario, Visit } from './visit.ts';

/** One part of one answer that is not the same. */
export interface Difference {
  /** As `POST /auth/signin/idp`. */
  readonly step: string;
  /** `status`, `location`, `body`, `header …`, `cookie …`, `calls`, `told to …`. */
  readonly part: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** The outcome of a comparison. */
export interface Comparison {
  /** Differences that no rule of Latchkey explains. */
  readonly unexplained: readonly Difference[];
  /** The rules that explain the others. */
  readonly used: ReadonlySet<Intended>;
  readonly steps: number;
}

/** Makes the same visit to both libraries and compares what was seen. */
export async function compare(scenario: Scenario): Promise<Comparison> {
  const [theirs, ours] = await Promise.all([peer, latchkey].map((library) => visited(library, scenario)));
  if (!theirs || !ours) throw new Error('no visit');
  const used = new Set<Intended>();
  const unexplained: Difference[] = [];
  ours.seen.forEach(({ step, parts }, index) => {
    const other = theirs.seen[index]?.parts ?? {};
    for (const part of new Set([...Object.keys(other), ...Object.keys(parts)])) {
      const difference = { step, part, theirs: other[part], ours: parts[part] };
      if (JSON.stringify(difference.theirs) === JSON.stringify(difference.ours)) continue;
      const rule = intended.find(({ where }) => where(difference, scenario.title));
      if (rule) used.add(rule);
      else unexplained.push(difference);
    }
  });
  return { unexplained, used, steps: ours.seen.length };
}

async function visited(library: Library, scenario: Scenario): Promise<Visit> {
  const visit = new Visit(library, scenario);
  await scenario.visit(visit);
  return visit;
}
