import { judgeMemory, type Sample } from './memory.ts';
import { FAILURES, percentile, type Tally } from './tally.ts';

/** Data of a summary. */
export interface Run {
  readonly tally: Tally;
  readonly minutes: number;
  readonly seed: number;
  readonly visitors: number;
  /** Of the process that was left alone. */
  readonly samples: readonly Sample[];
  /** Last output of the processes before some of the failures. */
  readonly lines: readonly string[];
}

/** Minutes from which on a run lasts long enough to tell a small leak. */
const LONG = 5;

/** Events that must have happened. Otherwise the run proves nothing. */
const MUST_HAVE_HAPPENED = [
  'acts/sign-in by idp',
  'acts/sign-in by credentials',
  'acts/sign-in by mail',
  'ended/sign-out',
  'ended/end of all sessions',
  'ended/another session',
  'sessions told',
  'kills/a',
  'kills/b',
  'kills/postgres',
  'kills/redis',
  'kills/provider',
  'kills/provider-paused',
  'rotations',
];

/** The outcome in words, and whether all is well. */
export function summarize(run: Run): { text: string; isOk: boolean } {
  const { tally, minutes, seed, visitors } = run;
  const memory = judgeMemory(run.samples, minutes >= LONG);
  const missing = MUST_HAVE_HAPPENED.filter((what) => tally.of(what) === 0);
  const isOk = !tally.hasFailed && memory.isFlat && missing.length === 0;
  const requests = tally.under('requests/');
  const lines = [
    `soak: ${visitors} visitors for ${minutes} min, 2 processes, PostgreSQL, Redis and a provider; seed ${seed}`,
    table('requests', requests),
    `  in all ${tally.times.length} answers, p50 ${ms(tally.times, 0.5)}, p99 ${ms(tally.times, 0.99)}`,
    `sign-ins ${tally.of('sign-ins')}, sessions read ${tally.of('sessions told')}`,
    table('sessions ended', tally.under('ended/')),
    table('attacks refused', tally.under('attacks refused/')),
    table('kills and restarts', tally.under('kills/')),
    `secret rotations ${tally.of('rotations')}, with ${tally.of('rolling restarts')} rolling restarts`,
    `errors inside windows ${tally.of('errors inside windows')}, reads without a store ${tally.of('reads without a store')}`,
    FAILURES.map((kind) => `${kind} ${tally.of(kind)}`).join(', '),
    `memory of process a since the rotation (${run.samples.length} samples): ${memory.text}`,
    ...(missing.length > 0 ? [`never happened: ${missing.join(', ')}`] : []),
    ...(isOk ? [] : failures(run)),
    `${isOk ? 'OK' : 'FAILED'}: npm run soak -- --minutes ${minutes} --seed ${seed}`,
  ];
  return { text: lines.join('\n'), isOk };
}

function failures({ tally, lines }: Run): string[] {
  const told = tally.failures.map(({ at, who, what }) => `  ${(at / 1000).toFixed(1)} s, ${who}: ${what}`);
  const log = [...new Set(lines)].map((line) => `  ${line}`);
  return [
    'The first failures:',
    ...told,
    ...(log.length > 0 ? ['What the processes last wrote before some of them:', ...log] : []),
  ];
}

function table(title: string, rows: readonly (readonly [name: string, count: number])[]): string {
  return `${title}: ${rows.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`;
}

function ms(times: readonly number[], share: number): string {
  return `${percentile(times, share).toFixed(1)} ms`;
}
