import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';
import type { Name, World } from './world.ts';

/** Events that may happen to a part. */
const kinds = ['a', 'b', 'postgres', 'redis', 'provider', 'provider-paused'] as const;
type Kind = (typeof kinds)[number];

/** Milliseconds that a part stays down, at least and at most. */
const DOWN = [200, 2000] as const;
/** Milliseconds in which Latchkey asks a provider for its keys only once, and a little. */
const KEYS_PATIENCE = 62_000;

/** Kills parts and starts them again, one event after another or several at once. */
export class Chaos {
  readonly #world: World;
  readonly #tally: Tally;
  readonly #random: Random;
  /** Who may not be killed for now. */
  readonly #spared = new Set<Kind>();
  readonly #running = new Map<Kind, Promise<void>>();
  #bag: Kind[] = [];

  constructor(world: World, tally: Tally, random: Random) {
    this.#world = world;
    this.#tally = tally;
    this.#random = random;
  }

  /** Continues until `isOver`, and until each kind has happened once. A part that does not restart is a failure. */
  async run(gap: readonly [low: number, high: number], isOver: () => boolean): Promise<void> {
    while (!isOver() || kinds.some((kind) => !this.#tally.of(`kills/${kind}`) && !this.#spared.has(kind))) {
      await sleep(this.#random.between(...gap));
      const kind = this.#next();
      if (kind !== undefined) this.#begin(kind);
    }
    await Promise.all(this.#running.values());
  }

  /** Waits until none of them is down, and leaves them alone until the returned function is called. */
  async spare(...spared: Name[]): Promise<() => void> {
    for (const kind of spared) this.#spared.add(kind);
    await Promise.all(spared.map((kind) => this.#running.get(kind)));
    return () => {
      for (const kind of spared) this.#spared.delete(kind);
    };
  }

  /** Each kind as often as the others. */
  #next(): Kind | undefined {
    const isFree = (kind: Kind): boolean =>
      !this.#spared.has(kind) && !rivals(kind).some((one) => this.#running.has(one));
    const index = this.#bag.findIndex(isFree);
    if (index < 0) {
      this.#bag.push(...this.#random.shuffled(kinds));
      return undefined;
    }
    return this.#bag.splice(index, 1)[0];
  }

  #begin(kind: Kind): void {
    this.#tally.count(`kills/${kind}`);
    const work = this.#happen(kind)
      .catch((error: unknown) => this.#tally.fail('broken promises', kind, String(error)))
      .finally(() => this.#running.delete(kind));
    this.#running.set(kind, work);
  }

  async #happen(kind: Kind): Promise<void> {
    const pause = this.#random.between(...DOWN);
    if (kind === 'a' || kind === 'b') return this.#restartApplication(kind, pause);
    if (kind === 'postgres' || kind === 'redis') return this.#restartStore(kind, pause);
    return this.#restartProvider(kind, pause);
  }

  async #restartApplication(name: Name, pause: number): Promise<void> {
    const close = this.#world.windows.open('application');
    await this.#world.killApplication(name);
    await sleep(pause);
    await this.#world.startApplication(name);
    close();
  }

  async #restartStore(store: 'postgres' | 'redis', pause: number): Promise<void> {
    const close = this.#world.windows.open(store);
    await this.#world.server(store).kill();
    await sleep(pause);
    await this.#world.server(store).start();
    await this.#world.wellAgain(store);
    close();
  }

  async #restartProvider(kind: 'provider' | 'provider-paused', pause: number): Promise<void> {
    const { windows } = this.#world;
    const close = windows.open('provider');
    if (kind === 'provider') {
      const closeKeys = windows.open('keys');
      await this.#world.killProvider();
      await sleep(pause);
      await this.#world.startProvider();
      setTimeout(closeKeys, KEYS_PATIENCE).unref();
    } else {
      await this.#world.pauseProvider('stop');
      await sleep(pause);
      await this.#world.pauseProvider('start');
    }
    await this.#world.wellAgain('provider');
    close();
  }
}

/** Parts that must not be down together: one process must serve, and the provider has two kinds of failure. */
function rivals(kind: Kind): Kind[] {
  if (kind === 'a' || kind === 'b') return ['a', 'b'];
  return kind === 'provider' || kind === 'provider-paused' ? ['provider', 'provider-paused'] : [kind];
}
