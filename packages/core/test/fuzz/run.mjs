import { delimiter, dirname } from 'node:path';
import { exitWith, Problem, run } from '../../../../scripts/run.mjs';
import { root, setup } from '../../../../scripts/setup.mjs';

// `npm run fuzz`: rounds of new cases, until a case fails or Ctrl-C.
// `npm run fuzz -- 100000` ends after that many cases,
// `npm run fuzz -- --minutes=10` with the round that is running then. Other arguments go to vitest.

/** Number of cases in a round. */
const ROUND = 20_000;
const folder = 'packages/core/test/fuzz';

await exitWith(async () => {
  const { most, until, args } = argumentsOf(process.argv.slice(2));
  const { node } = setup();
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  /** @param {Record<string, string>} own */
  const round = (own) =>
    run(node, ['node_modules/vitest/vitest.mjs', 'run', folder, ...args], {
      cwd: root,
      env: { ...process.env, PATH: path, ...own },
    });
  // One case again, as a failure has printed it.
  if (process.env['FUZZ_PATH'] !== undefined) return round({});
  // A seed is a 32-bit number.
  const first = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
  let done = 0;
  for (let count = 0; done < most && Date.now() < until; count++) {
    const seed = (first + count) % 2 ** 31;
    const cases = Math.min(ROUND, most - done);
    const start = Date.now();
    const code = await round({ FUZZ_SEED: String(seed), FUZZ_CASES: String(cases) });
    done += cases;
    const rate = Math.round((cases * 1000) / (Date.now() - start));
    console.log(`seed ${seed}: ${cases} cases, ${rate} a second; ${done} in all`);
    if (code !== 0) return code;
  }
  return 0;
});

/**
 * @param {string[]} given
 * @returns {{ most: number, until: number, args: string[] }}
 */
function argumentsOf(given) {
  const number = given.find((arg) => /^\d+$/.test(arg));
  const minutes = given.find((arg) => arg.startsWith('--minutes='));
  const until = minutes === undefined ? Infinity : Date.now() + Number(minutes.slice('--minutes='.length)) * 60_000;
  if (Number.isNaN(until)) throw new Problem(`${minutes}: give a number of minutes`);
  return {
    most: number === undefined ? Infinity : Number(number),
    until,
    args: given.filter((arg) => arg !== number && arg !== minutes),
  };
}
