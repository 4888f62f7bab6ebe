/*
 * A change is a list of steps. Each step stays on one slot, so that every server can do it at once. Where all keys lie on one
 * slot, the whole list is one transaction; else the steps run one after the other, and their order must be such that one may
 * be the last.
 */

/** Something that must hold for a change to happen. The second element is the key it is about. */
export type Need =
  /** There is no such key. */
  | readonly ['absent', key: string]
  | readonly ['exists', key: string]
  /** The key holds exactly this text. */
  | readonly ['is', key: string, text: string]
  /** The key holds a row of this owner. */
  | readonly ['of', key: string, owner: string]
  /** The set has this number of members. */
  | readonly ['size', key: string, size: string]
  /** The same of a sorted set. */
  | readonly ['scheduled', key: string, size: string]
  /** The set, sorted or not, has this member. */
  | readonly ['has', key: string, member: string];

/** Something that a change does. The second element is the key it is about. */
export type Write =
  /** Milliseconds to live come last; an empty text means forever. */
  | readonly ['put', key: string, text: string, lifetime: string]
  | readonly ['drop', key: string]
  /** Drops a row if it has this owner. */
  | readonly ['dropOf', key: string, owner: string]
  /** Drops a row if it holds exactly this text. */
  | readonly ['dropIs', key: string, text: string]
  | readonly ['add', key: string, member: string]
  | readonly ['remove', key: string, member: string]
  /** Notes in a sorted set when a member expires. Instants and `keep` in milliseconds; never moves a member back. */
  | readonly ['schedule', key: string, member: string, expires: string, now: string, keep: string]
  | readonly ['unschedule', key: string, member: string];

/** One step of a change. */
export interface Step {
  readonly need?: readonly Need[];
  readonly write: readonly Write[];
  /** Takes the step back where steps run one after the other and a later one was refused. */
  readonly undo?: Step;
}

/** Steps in their order; a list among them is of steps that may run at the same time. */
export type Plan = readonly (Step | readonly Step[])[];
