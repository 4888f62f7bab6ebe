import type { AuthError } from '../errors.ts';
import type { Cause } from '../types/cause.ts';
import { type Facts, shownFacts } from './causes.ts';
import { refusalOf } from './refusal.ts';

/** A refused request. It cannot be repeated, so it is recorded. */
export interface RecentRefusal {
  readonly at: Date;
  readonly action: string;
  /** Type of the error. */
  readonly type: string;
  readonly cause: Cause | undefined;
  readonly facts: Facts;
}

const MOST = 50;
const refusals: RecentRefusal[] = [];

/** Records a refusal, in development only. The oldest one is dropped. */
export function rememberRefusal(action: string, error: AuthError): void {
  const cause = refusalOf(error);
  const facts = cause ? shownFacts(cause, { ...error.cause }) : {};
  refusals.unshift({ at: new Date(), action, type: error.type, cause, facts });
  refusals.length = Math.min(refusals.length, MOST);
}

/** Returns the last 50 refusals of this process, the newest first. */
export function recentRefusals(): readonly RecentRefusal[] {
  return refusals;
}
