/** What we need of `createClient()` or `createClientPool()` of the package `redis`; connected by the application. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
}

/** What we need of `createCluster()` of the package `redis`. */
export interface NodeRedisCluster {
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>;
  /** Told apart by this one; never called. */
  nodeClient: unknown;
}

/** What we need of `createSentinel()` of the package `redis`. */
export interface NodeRedisSentinel {
  sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>;
  /** Told apart by this one; never called. */
  getMasterNode: unknown;
}

/** What we need of `Redis` or `Cluster` of the package `ioredis`. */
export interface IoredisClient {
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** A client of Redis or Valkey, as applications have it. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | NodeRedisSentinel | IoredisClient;

/** Runs one command. `key` is one of its keys, by which a cluster finds the server. */
export type Command = (key: string, name: string, ...args: readonly string[]) => Promise<unknown>;

/**
 * One way to run commands with every client. Writes are never repeated here, and reads go where writes go.
 *
 * @throws {TypeError} when `client` is no client that we know.
 */
export function commandOf(client: RedisClient): Command {
  const given: unknown = client;
  if (!isRecord(given)) throw new TypeError(UNKNOWN_CLIENT);
  if (typeof given['call'] === 'function') {
    const ioredis = client as IoredisClient;
    return async (_, name, ...args) => ioredis.call(name, ...args);
  }
  if (typeof given['sendCommand'] !== 'function') throw new TypeError(UNKNOWN_CLIENT);
  if ('nodeClient' in given) {
    const cluster = client as NodeRedisCluster;
    return async (key, ...args) => cluster.sendCommand(key, false, args);
  }
  if ('getMasterNode' in given) {
    const sentinel = client as NodeRedisSentinel;
    return async (_, ...args) => sentinel.sendCommand(false, args);
  }
  const single = client as NodeRedisClient;
  return async (_, ...args) => single.sendCommand(args);
}

const UNKNOWN_CLIENT =
  'the client must be one of the package `redis` (createClient, createClientPool, createCluster, createSentinel) or `ioredis` (Redis, Cluster)';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Text of a reply, `null` where there is none. Clients may be set to answer with bytes. */
export function textOf(reply: unknown): string | null {
  if (reply === null || reply === undefined) return null;
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
}

/** The elements of a reply. Clients may be set to answer a set with a `Set`. */
export function listOf(reply: unknown): (string | null)[] {
  const elements: unknown[] = Array.isArray(reply) ? reply : reply instanceof Set ? [...reply] : [];
  return elements.map(textOf);
}
