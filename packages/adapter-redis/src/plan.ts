import type { Command } from './client.ts';
import { commit, run } from './scripts.ts';

/*
 * A change is a list of steps. All keys of one step are on one hash slot, so the server carries out a step as a whole.
 * With the tag `all`, every key is on one slot, and the plan is one transaction. With the tag `user`, the steps run one
 * after the other, and the client may stop after any of them. Order them so that the rows are valid after each step.
 */

/** A condition of a change. The second element is the key that the condition is about. */
export type Need =
  /** The key does not exist. */
  | readonly ['absent', key: string]
  | readonly ['exists', key: string]
  /** The key holds exactly this text. */
  | readonly ['is', key: string, text: string]
  /** The key holds a row of this owner. */
  | readonly ['of', key: string, owner: string]
  /** The key holds a row with this mark. */
  | readonly ['marked', key: string, mark: string]
  /** The set has this number of members. */
  | readonly ['size', key: string, size: string]
  /** The sorted set has this number of members. */
  | readonly ['scheduled', key: string, size: string]
  /** The set or sorted set has this member. */
  | readonly ['has', key: string, member: string];

/** One write of a change. The second element is the key that is written. */
export type Write =
  /** The lifetime is in milliseconds; an empty text means forever. */
  | readonly ['put', key: string, text: string, lifetime: string]
  | readonly ['drop', key: string]
  /** Deletes a row if it has this owner. */
  | readonly ['dropOf', key: string, owner: string]
  /** Deletes a row if it holds exactly this text. */
  | readonly ['dropIs', key: string, text: string]
  | readonly ['add', key: string, member: string]
  | readonly ['remove', key: string, member: string]
  /** Records in a sorted set when a member expires, in milliseconds. Never moves a member to an earlier instant. */
  | readonly ['schedule', key: string, member: string, expires: string, now: string, keep: string]
  /** Adds a member to a sorted set in the order of bytes. */
  | readonly ['index', key: string, member: string]
  | readonly ['unschedule', key: string, member: string]
  /** Records in a sorted set when a member was last seen, latest first. Never moves a member to an earlier instant. */
  | readonly ['rank', key: string, member: string, seen: string, lifetime: string]
  /** Removes a member that was last seen at an instant or before. */
  | readonly ['unrank', key: string, member: string, seen: string];

/** One step of a change. */
export interface Step {
  readonly need?: readonly Need[];
  readonly write: readonly Write[];
  /** Reverts the step if a later step is refused. Only used where the steps run one after the other. */
  readonly undo?: Step;
}

/** Steps in order. The steps of an inner list may run at the same time. */
export type Plan = readonly (Step | readonly Step[])[];

/**
 * Carries out steps as one transaction.
 *
 * @returns The key whose condition was not met; `null` if all steps are done.
 */
export async function commitAtOnce(command: Command, steps: readonly Step[]): Promise<string | null> {
  const needs = steps.flatMap(({ need = [] }) => need);
  const writes = steps.flatMap(({ write }) => write);
  const [first, ...others] = new Set([...needs, ...writes].map(([, key]) => key));
  if (first === undefined) return null;
  const keys: [string, ...string[]] = [first, ...others];
  const numbers = new Map(keys.map((key, index) => [key, String(index + 1)]));
  const instruction = ([name, key, ...args]: Need | Write): string[] => [name, numbers.get(key) ?? '', ...args];
  const unmet = Number(await run(command, commit, keys, [...needs, ...writes].flatMap(instruction)));
  return unmet === 0 ? null : (keys[unmet - 1] ?? first);
}

/**
 * Carries out a plan step by step. If a step is refused, the steps before it are reverted. If a step fails, its outcome
 * is unknown, and the steps before it stay.
 *
 * @returns The key whose condition was not met; `null` if all steps are done.
 */
export async function commitInOrder(command: Command, plan: Plan): Promise<string | null> {
  const done: Step[] = [];
  for (const steps of plan) {
    const results = await Promise.all([steps].flat().map((step) => commitAtOnce(command, [step])));
    const unmet = results.find((result) => result !== null);
    if (unmet !== undefined) {
      for (const { undo } of done.reverse()) if (undo) await commitAtOnce(command, [undo]);
      return unmet;
    }
    done.push(...[steps].flat());
  }
  return null;
}

/** Attempts of {@link retry}. An attempt fails only because another client has changed the same row. */
const ATTEMPTS = 200;

/**
 * Repeats an optimistic change until it succeeds.
 *
 * @param attempt Resolves to `undefined` if another client changed the row between the read and the write.
 * @throws {Error} after 200 attempts.
 */
export async function retry<T>(attempt: () => Promise<{ done: T } | undefined>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const result = await attempt();
    if (result) return result.done;
  }
  throw new Error(`other clients changed the row during each of ${ATTEMPTS} attempts; nothing was written`);
}
