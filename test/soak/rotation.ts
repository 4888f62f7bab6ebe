import { setTimeout as sleep } from 'node:timers/promises';
import type { Chaos } from './chaos.ts';
import type { Tally } from './tally.ts';
import { type Name, names, type Secrets, type World } from './world.ts';

/**
 * How a secret is changed while several processes serve and nobody is to notice. Each step is a rolling restart, complete before the
 * next one begins:
 *
 * 1. The new secret behind the old one: everybody can read what nobody writes yet.
 * 2. The new one in front: it is written, and whoever has not been restarted can read it.
 * 3. Once everything has been issued anew or has expired (`session.maxAge`, a day for mailed links): the old one goes.
 */
export function rotationSteps(old: string, next: string): readonly Secrets[] {
  return [[old, next], [next, old], [next]];
}

/** What {@link rotate} needs. */
export interface Rotation {
  readonly world: World;
  readonly tally: Tally;
  readonly chaos: Chaos;
  readonly next: string;
  /** Milliseconds that the two processes serve side by side with different secrets, in each step. */
  readonly mixed: number;
  /** Resolves when every visitor has had everything issued anew. */
  readonly renewed: () => Promise<void>;
}

/**
 * Changes the secret, by three rolling restarts. Nothing is down meanwhile, so no error is excused for it. From then on process `a`
 * is left alone.
 */
export async function rotate({ world, tally, chaos, next, mixed, renewed }: Rotation): Promise<void> {
  const release = await chaos.spare(...names);
  const [old] = world.secrets.a;
  for (const secrets of rotationSteps(old, next)) {
    if (secrets.length === 1) await renewed();
    for (const name of names) {
      await restart(world, name, secrets);
      if (name !== names.at(-1)) await sleep(mixed);
    }
    tally.count('rolling restarts');
  }
  tally.count('rotations');
  release();
  await chaos.spare('a');
}

async function restart(world: World, name: Name, secrets: Secrets): Promise<void> {
  world.secrets[name] = secrets;
  await world.stopApplication(name);
  await world.startApplication(name);
}
