/** The method that the adapter calls on `createClient()` or `createClientPool()` of the package `redis`. */
export interface NodeRedisClient {
  /** Sends a command with its arguments. Returns the reply as the client has parsed it. */
  sendCommand(args: string[]): Promise<unknown>;
}

/** The method that the adapter calls on `createCluster()` of the package `redis`. */
export interface NodeRedisCluster {
  /** Sends a command to the node that has the slot of `firstKey`. Returns the reply. */
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>;
  /** Identifies the kind of client; never called. */
  nodeClient: unknown;
}

/** The method that the adapter calls on `createSentinel()` of the package `redis`. */
export interface NodeRedisSentinel {
  /** Sends a command to the master, or to a replica if `isReadonly` is `true`. Returns the reply. */
  sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>;
  /** Identifies the kind of client; never called. */
  getMasterNode: unknown;
}

/** The method that the adapter calls on `Redis` or `Cluster` of the package `ioredis`. */
export interface IoredisClient {
  /** Sends a command with its arguments. Returns the reply. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** A client of Redis or Valkey. The application connects it. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | NodeRedisSentinel | IoredisClient;

/** Runs one command. `key` is one of its keys: a cluster selects the server by it. */
export type Command = (key: string, name: string, ...args: readonly string[]) => Promise<unknown>;

/**
 * Returns one way to run commands with each kind of client. It never repeats a command, and it reads from the primary.
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`.
 */
export function commandOf(client: RedisClient): Command {
  if (hasMethod(client, 'call')) return async (_, name, ...args) => client.call(name, ...args);
  if (!hasMethod(client, 'sendCommand')) throw new TypeError(UNKNOWN_CLIENT);
  if ('nodeClient' in client) return async (key, ...args) => client.sendCommand(key, false, args);
  if ('getMasterNode' in client) return async (_, ...args) => client.sendCommand(false, args);
  return async (_, ...args) => client.sendCommand(args);
}

const UNKNOWN_CLIENT =
  'the client must be one of the package `redis` (createClient, createClientPool, createCluster, createSentinel) or `ioredis` (Redis, Cluster)';

/** Checks untyped callers, too: `client` may be any value. */
function hasMethod<Name extends 'call' | 'sendCommand'>(
  client: RedisClient,
  name: Name,
): client is Extract<RedisClient, Record<Name, unknown>> {
  return (
    typeof client === 'object' && client !== null && name in client && typeof Reflect.get(client, name) === 'function'
  );
}

/** Returns a reply as text; `null` if there is no value. Clients can be configured to return bytes. */
export function textOf(reply: unknown): string | null {
  if (reply === null || reply === undefined) return null;
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
}

/** Returns the elements of a reply. Clients can be configured to return a `Set`. */
export function listOf(reply: unknown): (string | null)[] {
  const elements: unknown[] = Array.isArray(reply) ? reply : reply instanceof Set ? [...reply] : [];
  return elements.map(textOf);
}
