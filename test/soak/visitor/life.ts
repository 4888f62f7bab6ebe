import { setTimeout as sleep } from 'node:timers/promises';
import { methods, ORIGIN } from '../people.ts';
import * as acts from './acts.ts';
import { Wrong } from './judge.ts';
import { signIn } from './sign-in.ts';
import type { Visitor } from './visitor.ts';

/** How often each act is chosen. */
const SIGNED_IN: readonly (readonly [weight: number, act: acts.Act])[] = [
  [32, acts.look],
  [22, acts.lookInParallel],
  [10, acts.update],
  [5, acts.signOut],
  [3, acts.endAll],
  [4, acts.endOther],
  [6, acts.signInSomehow],
  [8, acts.tamper],
  [6, acts.foreignToken],
  [4, acts.wrongPassword],
];
const SIGNED_OUT: typeof SIGNED_IN = [
  [60, acts.signInSomehow],
  [25, acts.look],
  [15, acts.wrongPassword],
];

/** Parameters of a visitor's life. */
export interface Life {
  isOver(): boolean;
  /** How often everything should have been issued anew by now. */
  renewals(): number;
}

/** Milliseconds between two acts. */
const PAUSE = [40, 360] as const;

/** Does one thing after another, the first of them a sign-in, until it is over. */
export async function live(visitor: Visitor, life: Life): Promise<void> {
  const { random, identities, number } = visitor;
  // Each way to sign in is used in each mode, before random choices.
  const first = methods[Math.floor(number / methods.length) % methods.length] ?? 'credentials';
  await signIn(visitor, identities[first]);
  while (!life.isOver()) {
    await sleep(random.between(...PAUSE));
    if (visitor.renewals < life.renewals()) await acts.renew(visitor);
    await choose(visitor)(visitor);
  }
}

/** The last look, when everything is well again. */
export async function end(visitor: Visitor): Promise<void> {
  await visitor.attempt('last look', visitor.readers, async () => {
    await visitor.look('session');
    await visitor.look('me');
    const [rejected] = visitor.browser.rejected.filter(({ url }) => url.startsWith(ORIGIN));
    if (rejected) throw new Wrong(`a browser would not keep ${rejected.cookie.name}: ${rejected.reason}`);
  });
}

function choose({ random, identity }: Visitor): acts.Act {
  const weighted = identity ? SIGNED_IN : SIGNED_OUT;
  let left = random.next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, act] of weighted) {
    left -= weight;
    if (left < 0) return act;
  }
  return acts.look;
}
