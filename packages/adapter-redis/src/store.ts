import type { UserFieldDefinitions } from '@latchkey/core/adapters';
import { type Command, commandOf, listOf, type RedisClient, textOf } from './client.ts';
import { type Keys, type Kind, keysOf, type List, type Tag } from './keys.ts';
import { commitAtOnce, commitInOrder, type Plan } from './plan.ts';
import { ownerOf } from './row.ts';
import { type UserColumns, userColumns } from './rows/user-row.ts';
import { lease, readWithOwner, run, sweep } from './scripts.ts';

/** Options of the adapter and of the session store. */
export interface RedisOptions {
  /** Text before each key, without braces. Default: `latchkey:`. */
  prefix?: string | undefined;
  /**
   * How keys are spread over a cluster: `all` on one slot, or by `user`; see the README. Do not change it later: keys
   * of the other tag are not found. Default: `all`.
   */
  tag?: Tag | undefined;
  /** Returns the current instant for lifetimes, `cleanup` and `spendOnce`. Default: the system's clock. */
  now?: (() => Date) | undefined;
}

/** The keys, the reads and the one way to write, for all methods of the adapter. */
export interface Store {
  readonly keys: Keys;
  readonly users: UserColumns;
  readonly now: () => Date;
  get(key: string): Promise<string | null>;
  getAll(keys: readonly string[]): Promise<(string | null)[]>;
  /** Reads and deletes a key in one command. */
  take(key: string): Promise<string | null>;
  members(key: string): Promise<string[]>;
  /** The members of a sorted set whose score is less than `below`, lowest first. */
  membersBelow(key: string, below: number, limit: number): Promise<string[]>;
  /** The members of a sorted set, highest score first. */
  scheduled(key: string): Promise<string[]>;
  /** The members of a ranked set, last seen first, and of equal ones in the order of their bytes. */
  ranked(key: string, from: number, limit: number): Promise<string[]>;
  /** The members of a sorted set whose scores are equal, in the order of their bytes; `after` is left out. */
  ordered(key: string, after: string | null, limit: number): Promise<string[]>;
  /** Takes the lease of an entry for milliseconds, by the server's clock; `0` ends it. */
  lease(entry: string, lease: string, version: number, holder: string, milliseconds: number): Promise<boolean>;
  /** Reads a row and its owner: in one round trip if all keys are on one slot, else in two. */
  withOwner(kind: Kind, part: string): Promise<OwnedRow | null>;
  /** Carries out a plan. Resolves to `null` if it is done, else to the key whose condition was not met. */
  commit(plan: Plan): Promise<string | null>;
  /** Deletes the expired rows of a sorted set; `rows` maps their names in the set to their keys. */
  sweep(key: string, rows: ReadonlyMap<string, string>): Promise<number>;
}

/** A row and the row of the user who owns it. */
export interface OwnedRow {
  readonly row: string;
  /** `null` if the user does not exist. */
  readonly user: string | null;
}

/** A row in a list of its user. */
export interface ListedRow {
  /** The part of its key. */
  readonly part: string;
  readonly row: string;
}

/**
 * Reads the rows of a user, by the user's lists of them. An entry whose row does not exist, or belongs to another user,
 * is left out.
 *
 * @param lists Default: the list of this kind.
 * @returns An empty list if the user does not exist.
 */
export async function rowsOfUser(
  { keys, get, getAll, members }: Store,
  kind: 'account' | 'authenticator',
  owner: string,
  lists: readonly List[] = [`${kind}s`],
): Promise<ListedRow[]> {
  const [user, ...listed] = await Promise.all([
    get(keys.of('user', owner)),
    ...lists.map((list) => members(keys.of(list, owner))),
  ]);
  if (user === null) return [];
  const parts = [...new Set(listed.flat())];
  const rows = await getAll(parts.map((part) => keys.of(kind, part)));
  return parts.flatMap((part, index) => {
    const row = rows[index] ?? null;
    return row !== null && ownerOf(row) === owner ? [{ part, row }] : [];
  });
}

/**
 * Milliseconds that a row outlives its expiry: one hour. Core decides by its own clock whether a row has expired; the
 * server's clock does not matter.
 */
export const KEEP: number = 60 * 60 * 1000;

/** Returns how long a row lives from now on, in milliseconds; at least {@link KEEP}. */
export function lifetime(expires: Date, now: Date): string {
  return String(Math.max(expires.getTime() - now.getTime(), 0) + KEEP);
}

/**
 * Connects the methods to a client.
 *
 * @throws {TypeError} if the client or an option is not valid.
 */
export function storeOf(client: RedisClient, options: RedisOptions = {}, userFields?: UserFieldDefinitions): Store {
  const { prefix = 'latchkey:', tag = 'all', now = () => new Date() } = options;
  const command = commandOf(client);
  const keys = keysOf(prefix, tag);
  const get = async (key: string): Promise<string | null> => textOf(await command(key, 'GET', key));
  const list = async (key: string, name: string, ...args: string[]): Promise<string[]> =>
    listOf(await command(key, name, key, ...args)).filter((member) => member !== null);

  return {
    keys,
    users: userColumns(userFields),
    now,
    get,
    getAll: (all) => Promise.all(all.map(get)),
    take: async (key) => textOf(await command(key, 'GETDEL', key)),
    members: (key) => list(key, 'SMEMBERS'),
    membersBelow: (key, below, limit) => list(key, 'ZRANGEBYSCORE', '-inf', `(${below}`, 'LIMIT', '0', String(limit)),
    scheduled: (key) => list(key, 'ZREVRANGE', '0', '-1'),
    ranked: (key, from, limit) => list(key, 'ZRANGE', String(from), String(from + limit - 1)),
    ordered: (key, after, limit) =>
      list(key, 'ZRANGE', after === null ? '-' : `(${after}`, '+', 'BYLEX', 'LIMIT', '0', String(limit)),
    lease: async (entry, own, version, holder, milliseconds) =>
      Number(await run(command, lease, [entry, own], [String(version), holder, String(milliseconds)])) === 1,
    withOwner: tag === 'all' ? ownedAtOnce(command, keys) : ownedInTwo(get, keys),
    commit: tag === 'all' ? (plan) => commitAtOnce(command, plan.flat()) : (plan) => commitInOrder(command, plan),
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
