import { memoryAdapter } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisAdapter } from '../../packages/adapter-redis/src/index.ts';
import { countKinds, keysIn, nodeRedis } from '../../packages/adapter-redis/test/clients.ts';
import { SqlAdapter } from '../../packages/adapter-sql/src/index.ts';
import type { EngineKind } from '../../packages/adapter-sql/test/engines/engines.ts';
import { countsOf, places } from '../../packages/adapter-sql/test/place.ts';
import { codeFlows } from '../adapters/flows/codes.ts';
import { openShop, person, type Strategy, strategies } from '../adapters/flows/shop.ts';
import { grownBy, type OpenStore } from '../adapters/store.ts';
import { available, redis } from '../services/index.ts';

/** One of Latchkey's own stores. */
interface OwnStore extends OpenStore {
  /** Calls `cleanup` a day later. */
  cleanUp(): Promise<number>;
}

const aDayLater = (): Date => new Date(Date.now() + 86_400_000);

function inMemory(): OwnStore {
  let later = false;
  const adapter = memoryAdapter({ now: () => (later ? aDayLater() : new Date()) });
  return {
    adapter,
    counts() {
      const { users, accounts, sessions, verificationTokens: tokens } = adapter.dump();
      return { users: users.length, accounts: accounts.length, sessions: sessions.length, tokens: tokens.length };
    },
    cleanUp() {
      later = true;
      return adapter.cleanup();
    },
    close: () => undefined,
  };
}

async function inSql(kind: EngineKind): Promise<OwnStore> {
  const { db, engine, close } = await kind.open();
  const adapter = SqlAdapter(db);
  // The first use migrates.
  await adapter.getUser('unknown');
  return {
    adapter,
    async counts() {
      const rows = await countsOf(engine);
      const of = (table: string): number => rows[`auth_${table}`] ?? 0;
      return {
        ...{ users: of('users'), accounts: of('accounts'), sessions: of('sessions') },
        tokens: of('verificationTokens'),
      };
    },
    cleanUp: () => SqlAdapter(db, { now: aDayLater }).cleanup(),
    close,
  };
}

async function inRedis(tag: 'all' | 'user'): Promise<OwnStore> {
  const { url, prefix, drop } = await (await redis()).fresh();
  const connected = await nodeRedis(url);
  return {
    adapter: RedisAdapter(connected.client, { prefix, tag }),
    async counts() {
      const kinds = countKinds(await keysIn(connected, prefix), prefix);
      const of = (kind: string): number => kinds[kind] ?? 0;
      return { users: of('user'), accounts: of('account'), sessions: of('session'), tokens: of('token') };
    },
    cleanUp: () => RedisAdapter(connected.client, { prefix, tag, now: aDayLater }).cleanup(),
    async close() {
      connected.close();
      await drop();
    },
  };
}

/** The stores. Sessions of both strategies are tested on one store of each adapter. */
const stores: Readonly<Record<string, { readonly tested: readonly Strategy[]; open(): OwnStore | Promise<OwnStore> }>> =
  {
    memory: { tested: strategies, open: inMemory },
    ...Object.fromEntries(
      places.map((kind) => [
        kind.name,
        { tested: kind.name === 'node:sqlite' ? strategies : (['database'] as const), open: () => inSql(kind) },
      ]),
    ),
    ...((await available('redis')) && {
      'Redis, tag all': { tested: strategies, open: () => inRedis('all') },
      'Redis, tag user': { tested: ['database'], open: () => inRedis('user') },
    }),
  };

describe.each(Object.entries(stores))('mails with codes on %s', (_, { tested, open }) => {
  let opened: OwnStore;
  const store = (): OwnStore => opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());

  describe.each(tested)('with %s sessions', (strategy) => codeFlows(store, strategy, {}));

  it('leave nothing after their expiry if `cleanup` is called', async () => {
    const shop = openShop(opened.adapter, 'database', { code: true });
    const grown = await grownBy(opened, async () => {
      const browser = shop.visitor();
      await shop.mailedLink(browser, person().email);
      expect(shop.mails[0]?.code).toBeDefined();
      await shop.post(browser, 'code/mail', { code: '00000000' });
      expect(await opened.cleanUp()).toBeGreaterThanOrEqual(2);
    });
    expect(grown).toMatchObject({ users: 0, accounts: 0 });
    expect((await opened.counts()).tokens).toBe(0);
  });
});
