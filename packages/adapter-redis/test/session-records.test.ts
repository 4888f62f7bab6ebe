import { readFileSync } from 'node:fs';
import { sessionRecordsSuite } from '@latchkey/testing/session-records-suite';
import { describe, expect, it } from 'vitest';
import { available, redis as redisServer } from '../../../test/services/index.ts';
import { anEpoch, aRecord, at, idsOf, look, stateOf, touchAt } from '../../../test/sessions/records.ts';
import { combine, RedisAdapter, RedisSessionRecords, RedisSessions, type Tag } from '../src/index.ts';
import { clients, nodeRedis } from './clients.ts';
import { type Recorded, recorded } from './recorded.ts';
import { rejection } from './samples.ts';
import { connection, subject } from './subject.ts';

const isThere = await available('redis');
const hour = 3_600_000;

describe.runIf(isThere).each(['all', 'user'] as const)('session records, tag %s', (tag: Tag) => {
  const redis = subject();
  const make = (now?: () => Date) => RedisSessionRecords(redis().client, { prefix: redis().prefix, tag, now });

  /** Returns a store whose client is recorded, with keys of its own. */
  function recordedStore(name: string): { client: Recorded; records: RedisSessionRecords; other: RedisSessionRecords } {
    const client = recorded(redis());
    const options = { prefix: redis().prefix + name, tag };
    const [records, other] = [client.client, redis().client].map((one) => RedisSessionRecords(one, options));
    if (!records || !other) throw new Error('two stores were made');
    return { client, records, other };
  }

  sessionRecordsSuite(() => ({ records: make(), elsewhere: make() }), { describe, it }, { cleanup: false });

  it('leave a list when a call finds that they have ended, so that the next call does not read them', async () => {
    const records = make();
    const { userId, ...others } = aRecord();
    const ended = Array.from({ length: 450 }, (_, index) => ({ ...others, userId, id: `${index}`, seenAt: at(index) }));
    await Promise.all(ended.map((record) => records.create(record)));
    await records.endBefore(userId, anEpoch(at(10)));
    const last = aRecord({ userId, startedAt: at(20), seenAt: at(20) });
    await records.create(last);
    expect(await idsOf(records, { userId })).toEqual([last.id]);
    const list = (await redis().keys()).find((key) => /(^|:)records:/.test(key));
    expect(await redis().send('ZRANGE', `${redis().prefix}${list}`, '0', '-1')).toEqual([last.id]);
    expect(await idsOf(records, { userId })).toEqual([last.id]);
  });

  it('expire with their lists an hour later, and epochs too', async () => {
    const records = make(() => at(0));
    const record = aRecord({ expires: at(600) });
    const left = async (): Promise<Record<string, number>> => {
      const entries = (await redis().keys()).map(async (key): Promise<[string, number]> => {
        const remaining = Number(await redis().send('PTTL', redis().prefix + key));
        return [key.replace('{latchkey}:', '').split(':')[0] ?? '', Math.ceil(remaining / 60_000)];
      });
      return Object.fromEntries(await Promise.all(entries));
    };
    await records.create(record);
    const lists = { records: 70, providerSessions: 70, providerUsers: 70 };
    expect(await left()).toEqual({ record: 70, ...lists });
    await records.check(record.id, { now: at(0), after: at(1), expires: at(1200) });
    const longer = { record: 80, records: 80, providerSessions: 80, providerUsers: 80 };
    expect(await left()).toEqual(longer);
    await records.create(
      aRecord({ userId: record.userId, expires: at(60), providerSession: undefined, providerUser: undefined }),
    );
    expect(await left()).toMatchObject({ records: 80 });
    await records.endBefore(record.userId, anEpoch(at(0), { expires: at(1800) }));
    expect(await left()).toMatchObject({ epoch: 90 });
  });

  it('leave no keys when they are removed, and no ids in key names', async () => {
    const records = make();
    const record = aRecord();
    await records.create(record);
    const keys = await redis().keys();
    expect(keys.length).toBe(4);
    expect(keys.filter((key) => [record.id, record.userId, 'provider-'].some((value) => key.includes(value)))).toEqual(
      [],
    );
    await records.remove([record.id]);
    expect(await redis().keys()).toEqual([]);
  });

  it('are never missing from a list, and leave it an hour after they have expired', async () => {
    const records = make();
    const [gone, live] = [aRecord({ expires: at(10) }), aRecord({ seenAt: at(1) })];
    const userId = gone.userId;
    for (const record of [gone, { ...live, userId }]) await records.create(record);
    const list = (await redis().keys()).find((key) =>
      key.startsWith(tag === 'all' ? '{latchkey}:records:' : 'records:'),
    );
    const size = async (): Promise<unknown> => redis().send('ZCARD', `${redis().prefix}${list}`);
    await redis().send('DEL', `${redis().prefix}${await keyOf(gone.id)}`);
    expect(await idsOf(records, { userId }, 3599)).toEqual([live.id]);
    expect(Number(await size())).toBe(2);
    expect(await idsOf(records, { userId }, 3600)).toEqual([]);
    expect(Number(await size())).toBe(1);
  });

  async function keyOf(id: string): Promise<string> {
    for (const key of await redis().keys()) {
      if (!/(^|:)record:/.test(key)) continue;
      if (String(await redis().send('GET', redis().prefix + key)).includes(id)) return key;
    }
    throw new Error('the record does not exist');
  }

  // With the tag `all`, a removal is one script.
  if (tag === 'user') {
    it('stay listed if they are stored again while they are removed', async () => {
      const { client, records, other } = recordedStore('again:');
      const record = aRecord();
      await records.create(record);
      let scripts = 0;
      client.before = async ([name]) => {
        // The first script has removed the record, the others remove its entries.
        if (name !== 'EVALSHA' || ++scripts !== 2) return;
        await other.create({ ...record, seenAt: at(5) });
      };
      expect(await records.remove([record.id])).toEqual([record.id]);
      expect(await idsOf(records, { userId: record.userId })).toEqual([record.id]);
    });
  }

  it('are not missed by a check that an end overtakes', async () => {
    const { client, records, other } = recordedStore('overtaken:');
    const record = aRecord();
    await records.create(record);
    let reads = 0;
    client.before = async ([name]) => {
      if (name !== 'GET' || ++reads !== 2) return;
      // The check has read the record, and not yet the epoch.
      await other.endBefore(record.userId, anEpoch(at(10)));
    };
    expect(await records.check(record.id, look())).toBe('ended');
  });

  describe('steps that stop midway', () => {
    const record = aRecord();
    const { userId, id } = record;
    /** After a step that stopped, the record is as before or as after it, and it is listed if it is live. */
    const works: Record<string, Work> = {
      create: {
        work: (records) => records.create(record),
        holds: async (records) => {
          const before = await stateOf(records, id);
          expect(await idsOf(records, { userId })).toEqual(before === 'live' ? [id] : []);
          await records.create(record);
          expect(await records.check(id, look())).toEqual(record);
        },
      },
      'a check that writes': {
        prepare: (records) => records.create(record),
        work: (records) => records.check(id, touchAt(900)),
        holds: async (records) => {
          const answer = await records.check(id, look());
          expect(typeof answer === 'object' && [at(0), at(900)]).toContainEqual(
            typeof answer === 'object' && answer.seenAt,
          );
          expect(await idsOf(records, { userId })).toEqual([id]);
        },
      },
      remove: {
        prepare: (records) => records.create(record),
        work: (records) => records.remove([id]),
        holds: async (records) => {
          const state = await stateOf(records, id);
          expect(await idsOf(records, { userId })).toEqual(state === 'live' ? [id] : []);
          await records.remove([id]);
          expect(await stateOf(records, id)).toBe('unknown');
          expect(await idsOf(records, { userId })).toEqual([]);
        },
      },
      endBefore: {
        prepare: async (records) => {
          await records.create(record);
          await records.endBefore(userId, anEpoch(at(-10)));
        },
        work: (records) => records.endBefore(userId, anEpoch(at(10))),
        holds: async (records) => {
          expect(['live', 'ended']).toContain(await stateOf(records, id));
          await records.endBefore(userId, anEpoch(at(10)));
          expect(await stateOf(records, id)).toBe('ended');
        },
      },
    };

    it.each(Object.entries(works))('%s', async (_, { prepare, work, holds }) => {
      const whole = recordedStore('whole:');
      await prepare?.(whole.records);
      whole.client.commands();
      await work(whole.records);
      const commands = whole.client.commands().length;
      expect(commands).toBeGreaterThan(0);
      for (let index = 1; index <= commands; index++) {
        for (const when of ['before', 'after'] as const) {
          const { client, records } = recordedStore(`${index}${when}:`);
          await prepare?.(records);
          client.cut({ at: index, when });
          expect(String(await rejection(() => work(records)))).toContain('the connection was cut');
          client.cut();
          await holds(records);
        }
      }
    });
  });

  it('are a member of the adapter, of the store of sessions, and of a combined adapter', async () => {
    const options = { prefix: redis().prefix, tag };
    const record = aRecord();
    const adapter = RedisAdapter(redis().client, options);
    await adapter.sessionRecords.create(record);
    const sessions = RedisSessions(redis().client, options);
    const stores = [adapter, adapter.sessions, sessions, combine({ users: {}, sessions }), { sessionRecords: make() }];
    for (const { sessionRecords } of stores) expect(await sessionRecords?.check(record.id, look())).toEqual(record);
  });
});

interface Work {
  prepare?(records: RedisSessionRecords): Promise<unknown>;
  work(records: RedisSessionRecords): Promise<unknown>;
  /** Checks the rows, whether the work was done or not. */
  holds(records: RedisSessionRecords): Promise<void>;
}

describe.runIf(isThere).each(Object.entries(clients))('session records through %s', (_, connect) => {
  const redis = connection(connect);

  it('are stored, checked, found, ended and removed', async () => {
    const records = RedisSessionRecords(redis().client, { prefix: redis().prefix });
    const [one, two] = [aRecord(), aRecord()];
    for (const record of [one, two]) await records.create(record);
    const due = touchAt(900);
    expect(await records.check(one.id, due)).toEqual({ ...one, seenAt: due.now, expires: due.expires });
    expect(await idsOf(records, { providerUser: two.providerUser ?? '' })).toEqual([two.id]);
    await records.endBefore(one.userId, anEpoch(at(10)));
    expect(await stateOf(records, one.id)).toBe('ended');
    expect((await records.remove([one.id, two.id])).toSorted()).toEqual([one.id, two.id].sort());
  });
});

describe('RedisSessionRecords', () => {
  it.runIf(isThere)('only needs the rights that the README names', async () => {
    const server = await redisServer();
    const { prefix, drop, url: address } = await server.fresh();
    const admin = await nodeRedis(address);
    const name = `lk_${crypto.randomUUID()}`;
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rights = /Rights for session records:[^#]*?`([^`]+)`/.exec(readme)?.[1]?.match(/\+[a-z]+/g) ?? [];
    expect(rights.length).toBeGreaterThan(5);
    await admin.send('ACL', 'SETUSER', name, 'on', '>secret', `~${prefix}*`, ...rights);
    try {
      const url = new URL(address);
      [url.username, url.password] = [name, 'secret'];
      const { client, close } = await nodeRedis(url.href);
      const records = RedisSessionRecords(client, { prefix });
      const record = aRecord();
      await records.create(record);
      await records.check(record.id, touchAt(900));
      await records.find({ userId: record.userId }, at(1));
      await records.endBefore(record.userId, anEpoch(at(10)));
      await records.endBefore(record.userId, anEpoch(at(11)));
      expect(await records.remove([record.id])).toEqual([record.id]);
      expect(await records.find({ userId: record.userId }, new Date(at(0).getTime() + 2 * hour))).toEqual([]);
      close();
    } finally {
      await admin.send('ACL', 'DELUSER', name);
      await drop();
      admin.close();
    }
  });

  it('refuses unknown clients, and prefixes with braces', () => {
    expect(() => RedisSessionRecords({} as never)).toThrow(TypeError);
    expect(() => RedisSessionRecords({ call: async () => null } as never, { prefix: '{a}' })).toThrow('`prefix`');
  });
});
