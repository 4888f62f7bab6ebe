import { type Command, commandOf, listOf, type RedisClient, textOf } from './client.ts';
import { type Keys, type Kind, keysOf, type Tag } from './keys.ts';
import type { Need, Plan, Step, Write } from './plan.ts';
import { ownerOf } from './row.ts';
import { commit, readWithOwner, run, sweep } from './scripts.ts';

/** Options of the adapter and of the session store. */
export interface RedisOptions {
  /** Begins each key; must not contain braces. Default: `latchkey:`. */
  prefix?: string | undefined;
  /**
   * How keys are spread over a cluster: `all` on one slot, or by `user`, see the README. Not to be changed later: the keys of
   * the other way are not found. Default: `all`.
   */
  tag?: Tag | undefined;
  /** The instant from which lifetimes count, and at which `cleanup` and `spendOnce` judge. Default: the system's clock. */
  now?: (() => Date) | undefined;
}

/** What the methods work with. */
export interface Store {
  readonly keys: Keys;
  readonly now: () => Date;
  get(key: string): Promise<string | null>;
  getAll(keys: readonly string[]): Promise<(string | null)[]>;
  /** Gets and deletes, by one command. */
  take(key: string): Promise<string | null>;
  members(key: string): Promise<string[]>;
  /** The members of a sorted set whose score is less than `below`, the least first. */
  membersBelow(key: string, below: number, limit: number): Promise<string[]>;
  /** Members of a sorted set, the greatest score first. */
  scheduled(key: string): Promise<string[]>;
  /** A row and the user who owns it: in one round trip where all keys lie on one slot, else in two. */
  withOwner(kind: Kind, part: string): Promise<Owned | null>;
  /** Carries out a plan. Resolves to the key whose need was not met, and to `null` when it is done. */
  commit(plan: Plan): Promise<string | null>;
  /** Deletes those rows of a sorted set that have expired; `rows` are their keys by their names in the set. */
  sweep(key: string, rows: ReadonlyMap<string, string>): Promise<number>;
}

/** A row and its owner, as stored. */
export interface Owned {
  readonly row: string;
  /** `null` when there is no such user. */
  readonly user: string | null;
}

/** @throws {TypeError} when an argument is none that we know. */
export function storeOf(client: RedisClient, options: RedisOptions = {}): Store {
  const { prefix = 'latchkey:', tag = 'all', now = () => new Date() } = options;
  const command = commandOf(client);
  const keys = keysOf(prefix, tag);
  const get = async (key: string): Promise<string | null> => textOf(await command(key, 'GET', key));
  const list = async (key: string, name: string, ...args: string[]): Promise<string[]> =>
    listOf(await command(key, name, key, ...args)).filter((member) => member !== null);

  return {
    keys,
    now,
    get,
    getAll: (all) => Promise.all(all.map(get)),
    take: async (key) => textOf(await command(key, 'GETDEL', key)),
    members: (key) => list(key, 'SMEMBERS'),
    membersBelow: (key, below, limit) => list(key, 'ZRANGEBYSCORE', '-inf', `(${below}`, 'LIMIT', '0', String(limit)),
    scheduled: (key) => list(key, 'ZREVRANGE', '0', '-1'),
    withOwner: tag === 'all' ? ownedAtOnce(command, keys) : ownedInTwo(get, keys),
    commit: tag === 'all' ? (plan) => apply(command, plan.flat()) : (plan) => applyInOrder(command, plan),
    sweep: async (key, rows) =>
      Number(await run(command, sweep, [key, ...rows.values()], [String(now().getTime()), ...rows.keys()])),
  };
}

function ownedAtOnce(command: Command, keys: Keys): Store['withOwner'] {
  return async (kind, part) => {
    const own = `${kind}:${part}`;
    const reply = await run(command, readWithOwner, [keys.of(kind, part)], [String(own.length)]);
    const [row = null, user = null] = listOf(reply);
    return row === null ? null : { row, user };
  };
}

function ownedInTwo(get: Store['get'], keys: Keys): Store['withOwner'] {
  return async (kind, part) => {
    const row = await get(keys.of(kind, part));
    return row === null ? null : { row, user: await get(keys.of('user', ownerOf(row))) };
  };
}

/** One transaction. */
async function apply(command: Command, steps: readonly Step[]): Promise<string | null> {
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

/** Step by step. When one is refused, those before it are taken back; when one fails, nobody knows, and they stay. */
async function applyInOrder(command: Command, plan: Plan): Promise<string | null> {
  const done: Step[] = [];
  for (const steps of plan) {
    const results = await Promise.all([steps].flat().map((step) => apply(command, [step])));
    const unmet = results.find((result) => result !== null);
    if (unmet !== undefined) {
      for (const { undo } of done.reverse()) if (undo) await apply(command, [undo]);
      return unmet;
    }
    done.push(...[steps].flat());
  }
  return null;
}
