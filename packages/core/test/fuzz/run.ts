import fc from 'fast-check';
import { processCounters } from '../../src/rate-limit/memory.ts';
import { type Answer, read } from './answers.ts';
import type { Application } from './application.ts';
import { catchConsole, restoreConsole } from './log-book.ts';
import { isFromForm, proofsIn } from './proofs.ts';
import { faultsOf, type Trial } from './rules.ts';
import { type Door, doors, type Sent } from './sent.ts';
import type { Rows } from './shelf.ts';

/** The `share` of a property that gets all cases of a round of `npm run fuzz`. */
const ALL = 20_000;
/** Cases in a run of the tests, which may take 15 seconds. */
const IN_TESTS = 4000;
const wanted = Number(process.env['FUZZ_CASES'] ?? IN_TESTS);
const path = process.env['FUZZ_PATH'];

/** Milliseconds that a test may wait on a machine that has much else to do. No measure of speed. */
export const PATIENCE = 900_000;

/** Milliseconds of processor time that no request may take. */
const SLOW = 50;
const TRIES = 3;

/** One request to one application. */
export interface Case {
  readonly app: Application;
  readonly known: ReadonlyMap<string, string>;
  readonly sent: Sent;
  readonly rows: Rows | undefined;
  /** Index of {@link doors}. */
  readonly door: number;
  readonly disturbed?: Trial['disturbed'];
}

/** Returns further faults of a case, in addition to the rules. */
export type More = (trial: Trial) => string[] | Promise<string[]>;

/**
 * Holds the rules against many cases.
 *
 * @param name As the test is called: the line that repeats a failure names it.
 * @param share Cases in a round of `npm run fuzz`.
 * @param prepare Makes the case, anew for each try.
 */
export async function fuzz<T>(
  name: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  prepare: (drawn: T) => Case,
  more: More = () => [],
): Promise<void> {
  process.on('unhandledRejection', note);
  try {
    await check(name, share, arbitrary, (drawn) => faultsIn(() => prepare(drawn), more));
  } finally {
    process.off('unhandledRejection', note);
  }
}

/**
 * Holds a rule against many values.
 *
 * @param faults Returns the faults of a value.
 */
export async function check<T>(
  name: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  faults: (drawn: T) => Faults | Promise<Faults>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (drawn) => {
    const found = (await faults(drawn)).filter((fault) => fault !== false);
    // Only then: an assertion costs more than a request.
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  const numRuns = Math.ceil((share * wanted) / ALL);
  catchConsole();
  const outcome = await fc.check(property, { numRuns, ...(path && { path }) }).finally(restoreConsole);
  if (outcome.failed) throw new Error(report(name, outcome));
}

type Faults = readonly (string | false)[];

const rejected: unknown[] = [];
const note = (reason: unknown): void => void rejected.push(reason);

async function faultsIn(make: () => Case, more: More): Promise<string[]> {
  const first = await attempt(make, more);
  if (first.faults.length > 0 || first.time <= SLOW) return first.faults;
  // Others may have had the processor's caches, or the collector was about: it has to be slow each time.
  let fastest = first.time;
  for (let count = 0; count < TRIES && fastest > SLOW; count++)
    fastest = Math.min(fastest, (await attempt(make, more)).time);
  return fastest > SLOW ? [`takes ${Math.round(fastest)} ms of processor time`] : [];
}

interface Attempt {
  readonly faults: string[];
  readonly time: number;
}

async function attempt(make: () => Case, more: More): Promise<Attempt> {
  const one = make();
  const { app, rows } = one;
  if (rows) app.shelf?.putBack(rows);
  processCounters.clear();
  app.log.clear();
  app.mails.length = 0;
  for (const provider of Object.values(app.providers)) provider.verifiers.clear();
  const start = cpuTime();
  const answer = await answerTo(one);
  const time = cpuTime() - start;
  // Node.js reports unhandled rejections before the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const unhandled = rejected.splice(0).map((reason) => `leaves a rejection: ${String(reason)}`);
  if (typeof answer === 'string') return { faults: [answer, ...unhandled], time };
  const { sent, known } = one;
  const allowed = new Set(proofsIn(sent, app).flatMap(({ text }) => known.get(text) ?? []));
  const trial: Trial = { ...one, before: rows, answer, allowed, fromForm: isFromForm(sent, app) };
  return { faults: [...(await faultsOf(trial)), ...(await more(trial)), ...unhandled], time };
}

async function answerTo({ door, sent, app }: Case): Promise<Answer | string> {
  try {
    const response: unknown = await (doors[door] as Door)(sent, app);
    return response instanceof Response ? await read(response) : 'answers with no Response';
  } catch (error) {
    return `throws ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** CPU time of this thread in milliseconds, or of the whole process if that is not available. */
function cpuTime(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

function report<T>(
  name: string,
  { seed, counterexamplePath, counterexample, errorInstance, numShrinks }: fc.RunDetails<[T]>,
): string {
  return [
    `${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`,
    `Case (shrunk ${numShrinks} times): ${fc.stringify(counterexample?.[0]).slice(0, 6000)}`,
    `Again: FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath} npm run fuzz -- -t '${name}'`,
  ].join('\n');
}
