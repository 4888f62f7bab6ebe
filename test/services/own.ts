import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { charge } from './charges.ts';
import type { Engine, Fresh, OwnServer, Recipe, StartOptions } from './engine.ts';
import { recipeFor } from './missing.ts';
import { freePort } from './port.ts';
import { Running } from './running.ts';

/** Milliseconds that a server may take until it answers. */
const patience = 60_000;
/** Number of ports that are tried, because another process may take a port before the server does. */
const ports = 3;

/**
 * Starts a server with a data folder of its own.
 *
 * @throws {ServiceMissing} if its programs are not installed.
 * @throws {Error} with the end of its log if it does not start.
 */
export async function startOwn<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  options: O,
): Promise<OwnServer<F>> {
  const recipe = recipeFor(engine);
  const folder = await makeFolder(engine, recipe);
  try {
    await prepare(engine, recipe, folder);
    for (let attempt = 1; ; attempt++) {
      const server = new Own(engine, recipe, options, folder, await freePort());
      try {
        await server.start();
        return server;
      } catch (error) {
        if (attempt === ports || !/address already in use/i.test(String(error))) throw error;
      }
    }
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

class Own<F extends Fresh, O extends StartOptions> implements OwnServer<F> {
  readonly url: string;
  readonly #engine: Engine<F, O>;
  readonly #serve: () => Running;
  readonly #folder: string;
  #running: Running | undefined;
  #stopped = false;

  constructor(engine: Engine<F, O>, recipe: Recipe<O>, options: O, folder: string, port: number) {
    this.url = engine.url(port);
    this.#engine = engine;
    this.#folder = folder;
    this.#serve = () => new Running(recipe.serve(dataIn(folder), port, options), folder, engine.endSignal);
  }

  fresh(): Promise<F> {
    return this.#engine.fresh(this.url);
  }

  async start(): Promise<void> {
    const { title } = this.#engine;
    if (this.#stopped) throw new Error(`this ${title} was stopped, and its data was removed: start a new one`);
    if (this.#running && !this.#running.hasEnded) throw new Error(`this ${title} runs already`);
    await this.#running?.ended();
    const running = this.#serve();
    this.#running = running;
    try {
      await this.#answers(running);
    } catch (error) {
      await this.#end('SIGKILL');
      throw error;
    }
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end(this.#engine.endSignal);
    await this.#engine.tidy?.(dataIn(this.#folder));
    await remove(this.#folder);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#running?.signal(signal);
    await this.#running?.ended();
  }

  async #answers(running: Running): Promise<void> {
    const deadline = Date.now() + patience;
    for (;;) {
      const refusal = await this.#engine.ping(this.url).then(() => undefined, String);
      if (running.hasEnded) throw new Error(`${this.#engine.title} did not start:\n${running.lastWords}`);
      if (refusal === undefined) return;
      if (Date.now() > deadline) {
        throw new Error(`${this.#engine.title} does not answer: ${refusal}\n${running.lastWords}`);
      }
      await sleep(20);
    }
  }
}

async function makeFolder<O extends StartOptions>(engine: { kind: string }, { account }: Recipe<O>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `latchkey-${engine.kind}-`));
  // The server may run as another user, who must be able to enter the folder. Only that user can read the data.
  await chmod(folder, 0o755);
  await mkdir(dataIn(folder), { mode: 0o700 });
  if (account) await chown(dataIn(folder), account.uid, account.gid);
  return folder;
}

async function prepare<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  recipe: Recipe<O>,
  folder: string,
): Promise<void> {
  if (!recipe.prepare) return;
  const running = new Running(recipe.prepare(dataIn(folder)), folder, 'SIGKILL');
  await running.ended(patience);
  if (running.exitCode !== 0) throw new Error(`${engine.title} made no data folder:\n${running.lastWords}`);
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  charge({ folder, done: true });
}

function dataIn(folder: string): string {
  return join(folder, 'data');
}
