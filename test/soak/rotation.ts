import { setTimeout as sleep } from 'node:timers/promises';
import type { Chaos } from './chaos.ts';
import type { Tally } from './tally.ts';
import { type Name, names, type Secrets, type World } from './world.ts';

/**
 * Returns the secrets of each step of a rotation that visitors do not notice. Each step is a rolling restart of all
 * processes:
 *
 * 1. Add the new secret after the old one. All processes can then read tokens with the new secret.
 * 2. Put the new secret first. It seals new tokens, which processes before their restart can read.
 * 3. When all tokens have been renewed or have expired (`session.maxAge`, a day for mailed links), remove the old
 * secret.
 */
export function rotationSteps(old: string, next: string): readonly Secrets[] {
  return [[old, next], [next, old], [next]];
}

/** Parameters of {@link rotate}. */
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
 * Changes the secret by three rolling restarts. All parts stay available, so that no error is excused. Afterward,
 * process `a` is not restarted.
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
