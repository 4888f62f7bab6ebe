import type { Engine, Fresh, Server, StartOptions } from './engine.ts';
import { startOwn } from './own.ts';

/**
 * The server that the tests of one worker share, found or started at the first call. One of our own ends with the worker: see
 * `guard.ts`. Workers share none of theirs, so that no lock between them can be left behind.
 */
export function shared<F extends Fresh, O extends StartOptions>(engine: Engine<F, O>): () => Promise<Server<F>> {
  const found: Promise<Server<F>>[] = [];
  return () => {
    found[0] ??= find(engine);
    return found[0];
  };
}

/** Finds or starts a server: the named one, else the one at the usual port, else one of our own. */
export async function find<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Server<F>> {
  const named = env[engine.variable];
  const url = addressOf(engine, env);
  try {
    await engine.ping(url);
  } catch (cause) {
    // Whoever names a server wants that one.
    if (named) throw new Error(`${engine.variable} names a ${engine.title} that does not let us in`, { cause });
    return startOwn(engine, {} as O);
  }
  return { url, fresh: () => engine.fresh(url) };
}

/** Where a server is that outlives the tests, if there is one. */
export function addressOf<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env: NodeJS.ProcessEnv = process.env,
): string {
  return env[engine.variable] || engine.url(engine.standardPort);
}
