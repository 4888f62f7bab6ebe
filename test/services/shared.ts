import type { Engine, Fresh, Server, StartOptions } from './engine.ts';
import { startOwn } from './own.ts';

/**
 * Returns a function that finds or starts the server that the tests of one worker share. A server that it starts ends
 * with the worker: see `guard.ts`. Each worker starts its own, so that workers need no lock.
 */
export function shared<F extends Fresh, O extends StartOptions>(engine: Engine<F, O>): () => Promise<Server<F>> {
  const found: Promise<Server<F>>[] = [];
  return () => {
    found[0] ??= find(engine);
    return found[0];
  };
}

/** Returns the server that the variable names, else the one at the usual port, else one that it starts. */
export async function find<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Server<F>> {
  const named = env[engine.variable];
  const url = addressOf(engine, env);
  try {
    await engine.ping(url);
  } catch (cause) {
    // If the variable names a server, no other one replaces it.
    if (named)
      throw new Error(`${engine.variable} names a ${engine.title} that does not accept a connection`, { cause });
    return startOwn(engine, {} as O);
  }
  return { url, fresh: () => engine.fresh(url) };
}

/** Returns the URL of a server that the tests have not started, if it exists. */
export function addressOf<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env: NodeJS.ProcessEnv = process.env,
): string {
  return env[engine.variable] || engine.url(engine.standardPort);
}
