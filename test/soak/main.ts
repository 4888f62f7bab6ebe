import { newSecret, run } from './course.ts';
import { type Options, readOptions } from './options.ts';
import { randomOf } from './random.ts';
import { summarize } from './summary.ts';
import { Tally } from './tally.ts';
import { Windows } from './windows.ts';
import { World } from './world.ts';

/** `npm run soak`: see README.md. */

/** Each mode, and in each mode each way to sign in, has as many. */
const VISITORS = 18;

/** Milliseconds by which a run may last longer than its minutes. */
const DELAY = 6 * 60_000;

const isOk = await soak(readOptions(process.argv.slice(2)));
// Open connections to the provider would keep the process alive.
process.exit(isOk ? 0 : 1);

async function soak({ minutes, seed }: Options): Promise<boolean> {
  const start = performance.now();
  const now = (): number => performance.now() - start;
  const tally = new Tally(now);
  const world = new World(tally, new Windows(now), VISITORS, newSecret());
  console.log(`soak: starting, seed ${seed}`);
  const watchdog = setTimeout(
    () => {
      console.log(
        `${world.lastLines.join('\n')}\nFAILED: it does not end; npm run soak -- --minutes ${minutes} --seed ${seed}`,
      );
      process.exit(1);
    },
    minutes * 60_000 + DELAY,
  );
  try {
    await world.start();
    const found = await run({ world, tally, random: randomOf(seed), visitors: VISITORS, minutes, now });
    const summary = summarize({ tally, minutes, seed, visitors: VISITORS, ...found });
    console.log(summary.text);
    return summary.isOk;
  } finally {
    clearTimeout(watchdog);
    await world.close();
  }
}
