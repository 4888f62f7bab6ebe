import { application } from '@latchkey/testing';
import { adapterSuite, type SuiteRunner } from '@latchkey/testing/adapter-suite';
import { sessionRecordsSuite } from '@latchkey/testing/session-records-suite';
import { tokenVaultSuite } from '@latchkey/testing/token-vault-suite';
import { Cluster } from 'ioredis';
import { createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FreshPrefix, type OwnServer, startable, startRedis } from '../../../test/services/index.ts';
import { freePort } from '../../../test/services/port.ts';
import { RedisAdapter, RedisSessionRecords, RedisSessions, RedisTokenVault } from '../src/index.ts';
import { type Connected, keysIn, nodeRedis } from './clients.ts';
import { later } from './samples.ts';

const slots = 16_384;

/** Three servers that share the slots, and a connection to each. */
interface Nodes {
  readonly urls: readonly string[];
  readonly connections: readonly Connected[];
  stop(): Promise<void>;
}

async function startCluster(): Promise<Nodes> {
  const servers: OwnServer<FreshPrefix>[] = [];
  const busPorts: number[] = [];
  for (let count = 0; count < 3; count++) {
    const busPort = await freePort();
    busPorts.push(busPort);
    servers.push(await startRedis({ settings: { 'cluster-enabled': 'yes', 'cluster-port': String(busPort) } }));
  }
  const connections = await Promise.all(servers.map(({ url }) => nodeRedis(url)));
  const share = Math.ceil(slots / 3);
  for (const [index, { send }] of connections.entries()) {
    await send('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(Math.min((index + 1) * share, slots) - 1));
    await send('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  for (const [index, { url }] of servers.entries())
    await connections[0]?.send('CLUSTER', 'MEET', '127.0.0.1', new URL(url).port, String(busPorts[index]));
  for (const { send } of connections) await untilAllAreKnown(send);
  return {
    urls: servers.map(({ url }) => url),
    connections,
    stop: async () => {
      for (const { close } of connections) close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function untilAllAreKnown(send: Connected['send']): Promise<void> {
  for (;;) {
    const info = String(await send('CLUSTER', 'INFO'));
    const nodes = String(await send('CLUSTER', 'NODES'))
      .trim()
      .split('\n');
    const ready = nodes.length === 3 && nodes.every((line) => /connected \d/.test(line));
    if (ready && info.includes('cluster_state:ok')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Cluster clients, by title. */
const clusters: Readonly<Record<string, (urls: readonly string[]) => Promise<Omit<Connected, 'send'>>>> = {
  redis: async (urls) => {
    const client = createCluster({ rootNodes: urls.map((url) => ({ url })) });
    client.on('error', () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  ioredis: async (urls) => {
    const client = new Cluster(urls.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) })));
    client.on('error', () => undefined);
    return { client, close: () => client.disconnect() };
  },
};

describe.skipIf(!(await startable('redis')))('a cluster of three', () => {
  let nodes: Nodes;
  const connected = new Map<string, Omit<Connected, 'send'>>();
  beforeAll(async () => {
    nodes = await startCluster();
    for (const [title, connect] of Object.entries(clusters)) connected.set(title, await connect(nodes.urls));
  });
  afterAll(async () => {
    for (const { close } of connected.values()) close();
    await nodes.stop();
  });

  /** Number of keys with a prefix on each server. */
  const spread = async (prefix: string): Promise<number[]> =>
    Promise.all(nodes.connections.map(async (one) => (await keysIn(one, prefix)).length));

  for (const title of Object.keys(clusters)) {
    describe.each(['all', 'user'] as const)(`by ${title}, tag %s`, (tag) => {
      const make = (prefix: string): RedisAdapter => {
        const client = connected.get(title)?.client;
        if (!client) throw new Error('the connection is not open');
        return RedisAdapter(client, { prefix, tag });
      };
      // Hostile text does not depend on the client. With the tag `all` it is not in the part that selects the server.
      const withHostileText = title === 'redis' && tag === 'user';
      const runner: SuiteRunner = {
        describe,
        it: (caseTitle, body) => (withHostileText || !isHostile(caseTitle)) && it(caseTitle, body),
      };

      adapterSuite(() => ({ adapter: make('suite:') }), runner, { optional: true, authenticators: true });

      describe('session records', () => {
        const records = () => {
          const client = connected.get(title)?.client;
          if (!client) throw new Error('the connection is not open');
          return RedisSessionRecords(client, { prefix: 'records:', tag });
        };
        sessionRecordsSuite(() => ({ records: records(), elsewhere: records() }), runner, { cleanup: false });
      });

      describe('token vault', () => {
        const vault = () => {
          const client = connected.get(title)?.client;
          if (!client) throw new Error('the connection is not open');
          return RedisTokenVault(client, { prefix: `vault-${title}:`, tag });
        };
        tokenVaultSuite(() => ({ vault: vault(), elsewhere: vault() }), runner);
      });

      it('serves an application', async () => {
        const app = application({ adapter: make(`${title}-${tag}-app:`) });
        await app.signIn();
        expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
        const bob = app.visitor();
        await app.open(await app.mailedLink('bob@example.com', {}, bob), bob);
        expect(await app.session(bob)).toMatchObject({ user: { email: 'bob@example.com' } });
        await app.signOut();
        expect(await app.session()).toBeNull();
        expect(app.log.errors).toEqual([]);
      });

      it(tag === 'all' ? 'keeps all keys on one server' : 'spreads users and sessions over all servers', async () => {
        const prefix = `${title}-${tag}-spread:`;
        const adapter = make(prefix);
        for (let count = 0; count < 60; count++) {
          const user = { id: `u${count}`, email: `u${count}@example.com`, emailVerified: null };
          await adapter.createUser(user);
          await adapter.createSession({ sessionToken: `s${count}`, userId: user.id, expires: later });
        }
        const counts = await spread(prefix);
        if (tag === 'all') expect(counts.filter((count) => count > 0)).toHaveLength(1);
        else
          for (const sort of ['user:', 'email:', 'session:', 'sessions:', 'expiring:'])
            for (const count of await spread(prefix + sort)) expect(count, sort).toBeGreaterThan(0);
      });

      it('keeps sessions of users in another store', async () => {
        const client = connected.get(title)?.client;
        if (!client) throw new Error('the connection is not open');
        const sessions = RedisSessions(client, { prefix: `${title}-${tag}-only:`, tag });
        for (const sessionToken of ['1', '2', '3'])
          await sessions.createSession({ sessionToken, userId: 'ada', expires: later });
        expect(await sessions.deleteSessionsOfUser('ada')).toBe(3);
        expect(await sessions.readSession('1')).toBeNull();
      });
    });
  }
});

function isHostile(title: string): boolean {
  return /^keeps (or refuses )?.* in an? /.test(title);
}
