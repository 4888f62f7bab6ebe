import { randomBytes } from 'node:crypto';

const pattern = /^lk_([0-9a-z]{6,8})_[0-9a-f]{12}$/;
/** Milliseconds after which whatever carries a name counts as left behind. */
const hour = 60 * 60 * 1000;

/** A name that nobody uses, fit for a database and a key: `lk_<seconds since 1970 in base 36>_<random>`. */
export function freshName(now: Date = new Date()): string {
  return `lk_${Math.floor(now.getTime() / 1000).toString(36)}_${randomBytes(6).toString('hex')}`;
}

/** Whether a name is one of {@link freshName} and older than an hour. */
export function isStale(name: string, now: Date = new Date()): boolean {
  const stamp = pattern.exec(name)?.[1];
  return stamp !== undefined && now.getTime() - Number.parseInt(stamp, 36) * 1000 > hour;
}
