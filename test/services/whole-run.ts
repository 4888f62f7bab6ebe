import type { Engine, Fresh, StartOptions } from './engine.ts';
import { mariadbEngine } from './mariadb.ts';
import { beginRun, isOfRun, isStale } from './names.ts';
import { postgresEngine } from './postgres.ts';
import { redisEngine } from './redis.ts';
import { addressOf } from './shared.ts';

/**
 * vitest's `globalSetup`. It drops the databases of earlier runs before the first test, and those of this run after the
 * last one. Tests do not wait for that.
 */
export default async function wholeRun(): Promise<(() => Promise<void>) | undefined> {
  const run = beginRun();
  // vitest calls this for each project. Only the first call does the work.
  if (run === undefined) return undefined;
  await sweepAll((name) => isStale(name));
  return () => sweepAll((name) => isOfRun(name, run));
}

async function sweepAll(isOver: (name: string) => boolean): Promise<void> {
  await Promise.all([sweep(postgresEngine, isOver), sweep(mariadbEngine, isOver), sweep(redisEngine, isOver)]);
}

/** Drops databases and ignores failures: the server may be absent, or another run may drop the same databases. */
export async function sweep<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  isOver: (name: string) => boolean,
  url: string = addressOf(engine),
): Promise<void> {
  await engine.sweep(url, isOver).catch(() => undefined);
}
