import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type FreshPrefix, redis } from '../../../test/services/index.ts';
import { type Connected, keysIn, nodeRedis } from './clients.ts';

/** A connection for the tests of a group, and a prefix whose keys are deleted after each test. */
export interface Subject extends Connected {
  readonly prefix: string;
  /** Names of all keys, without the prefix. */
  keys(): Promise<string[]>;
}

/** Makes the subject of a group of tests. */
export function subject(): () => Subject {
  let fresh: FreshPrefix;
  let connected: Connected;
  beforeAll(async () => {
    fresh = await (await redis()).fresh();
    connected = await nodeRedis(fresh.url);
  });
  afterEach(() => fresh.drop());
  afterAll(() => connected.close());
  return () => ({
    ...connected,
    prefix: fresh.prefix,
    keys: async () => (await keysIn(connected, fresh.prefix)).map((key) => key.slice(fresh.prefix.length)),
  });
}

/** Connects a client for each test of a group. The keys of its prefix are deleted after the test. */
export function connection(
  connect: (url: string, prefix: string) => Promise<Connected>,
): () => Connected & Pick<Subject, 'prefix'> {
  let fresh: FreshPrefix;
  let connected: Connected;
  beforeEach(async () => {
    fresh = await (await redis()).fresh();
    connected = await connect(fresh.url, fresh.prefix);
  });
  afterEach(async () => {
    await fresh.drop();
    connected.close();
  });
  return () => ({ ...connected, prefix: fresh.prefix });
}
