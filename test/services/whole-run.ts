import type { Engine, Fresh, StartOptions } from './engine.ts';
import { mariadbEngine } from './mariadb.ts';
import { beginRun, isOfRun, isStale } from './names.ts';
import { postgresEngine } from './postgres.ts';
import { redisEngine } from './redis.ts';
import { addressOf } from './shared.ts';

/**
 * vitest's `globalSetup`. Servers that outlive the run are swept before its first test and after its last, and at no other time:
 * MariaDB 10.11 can crash when somebody reads its `information_schema` while somebody else drops a database.
 *
 * @returns What sweeps up after the run.
 */
export default async function wholeRun(): Promise<(() => Promise<void>) | undefined> {
  const run = beginRun();
  // Each project asks. The first is the whole run's.
  if (run === undefined) return undefined;
  await sweepAll((name) => isStale(name));
  return () => sweepAll((name) => isOfRun(name, run));
}

async function sweepAll(isOver: (name: string) => boolean): Promise<void> {
  await Promise.all([sweep(postgresEngine, isOver), sweep(mariadbEngine, isOver), sweep(redisEngine, isOver)]);
}

/** Best effort: where there is no server, there is nothing to sweep, and another run may be sweeping the same. */
export async function sweep<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  isOver: (name: string) => boolean,
  url: string = addressOf(engine),
): Promise<void> {
  await engine.sweep(url, isOver).catch(() => undefined);
}
