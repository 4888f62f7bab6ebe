import { DatabaseSync } from 'node:sqlite';
import { sessionRecordsSuite } from '@latchkey/testing/session-records-suite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEpoch, aRecord, at, look, touchAt } from '../../../test/sessions/records.ts';
import { SqlAdapter, SqlSessionRecords, sessionRecordsSql } from '../src/index.ts';
import { counted } from './counted.ts';
import type { Opened } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';
import { dialectPlaces, places } from './place.ts';

describe.each(dialectPlaces)('session records on $name', (kind) => {
  const opened = openedFor(kind);
  sessionRecordsSuite(() => ({ records: SqlSessionRecords(opened().db), elsewhere: SqlSessionRecords(opened().db) }), {
    describe,
    it,
  });

  it('have tables that several processes can create at the same time', async () => {
    const tables = { records: 'other_records', epochs: 'other_epochs' };
    const made = Array.from({ length: 6 }, () => aRecord());
    await Promise.all(made.map((record) => SqlSessionRecords(opened().db, { tables }).create(record)));
    const rows = await rowsOf(opened().engine, sql`select id from other_records`);
    expect(rows.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    expect(await SqlSessionRecords(opened().db, { tables }).cleanup(at(3600))).toBe(6);
  });

  it('add the indexes that a killed process has left out', async () => {
    const tables = { records: 'half_records', epochs: 'half_epochs' };
    const [creation = ''] = sessionRecordsSql(kind.dialect, tables).split(';\n');
    await opened().engine.run({ sql: creation, parameters: [] });
    await SqlSessionRecords(opened().db, { tables }).create(aRecord());
    const indexes = (await opened().engine.run(opened().engine.dialect.indexesOf('half_records'))).rows;
    expect(new Set(indexes.map((row) => row['index']))).toHaveProperty('size', 5);
  });

  it('do not create the tables with `migrate: false`, and try again at the next call', async () => {
    const tables = { records: 'third_records', epochs: 'third_epochs' };
    const records = SqlSessionRecords(opened().db, { tables, migrate: false });
    const record = aRecord();
    await expect(records.create(record)).rejects.toThrow();
    for (const text of sessionRecordsSql(kind.dialect, tables).split(';\n').filter(Boolean))
      await opened().engine.run({ sql: text, parameters: [] });
    await records.create(record);
    expect(await records.check(record.id, look())).toMatchObject({ id: record.id });
  });

  it('are kept beside the rows of the adapter, which has them as a member', async () => {
    const adapter = SqlAdapter(opened().db);
    const record = aRecord();
    expect(adapter.sessionRecords).toBe(adapter.sessionRecords);
    await adapter.sessionRecords.create(record);
    expect(await SqlSessionRecords(opened().db).check(record.id, look())).toMatchObject({ id: record.id });
    await run(opened().engine, sql`delete from ${sql.table('auth_sessionRecords')}`);
  });
});

describe.each(places)('the steps of session records on $name', (kind) => {
  const opened = openedFor(kind);

  it('write, find, end and remove', async () => {
    const records = SqlSessionRecords(opened().db);
    const [one, two] = [aRecord(), aRecord({ provider: undefined, amr: [] })];
    for (const record of [one, two]) await records.create(record);
    const due = touchAt(900);
    expect(await records.check(one.id, due)).toEqual({ ...one, seenAt: due.now, expires: due.expires });
    const { provider: _, ...plain } = two;
    for (const [skip, found] of [
      [0, [plain]],
      [1, []],
    ] as const)
      expect(await records.find({ providerUser: two.providerUser ?? '' }, at(1), skip)).toEqual(found);
    await records.endBefore(one.userId, anEpoch(at(10), { expires: at(5400) }));
    expect(await records.check(one.id, look())).toBe('ended');
    expect((await records.remove([one.id, two.id, one.id])).toSorted()).toEqual([one.id, two.id].sort());
    expect(await records.cleanup(at(5400))).toBe(1);
  });
});

describe('statements of session records on node:sqlite', () => {
  it('are one per step, prepared once, and find their rows by an index', async () => {
    const memory = new DatabaseSync(':memory:');
    const { db, statements, prepared } = counted(memory);
    const records = SqlSessionRecords(db);
    await records.cleanup(at(0));
    statements();
    const use = async (): Promise<Record<string, number>> => {
      const record = aRecord();
      const steps: [string, () => Promise<unknown>][] = [
        ['create', () => records.create(record)],
        ['a check that writes nothing', () => records.check(record.id, look())],
        ['a check that writes', () => records.check(record.id, touchAt(900))],
        ['find', () => records.find({ userId: record.userId }, at(1))],
        ['find, from 200', () => records.find({ providerUser: record.userId }, at(1), 200)],
        ['endBefore', () => records.endBefore(record.userId, anEpoch(at(10)))],
        ['remove', () => records.remove([record.id])],
        ['remove 200', () => records.remove(Array.from({ length: 200 }, String))],
      ];
      const counts: Record<string, number> = {};
      for (const [name, step] of steps) {
        await step();
        const ran = statements();
        counts[name] = ran.length;
        for (const text of ran.filter((one) => !/^\s*insert/.test(one))) expect(scansOf(memory, text)).toEqual([]);
      }
      return counts;
    };
    await use();
    const texts = prepared.length;
    expect(await use()).toEqual({
      create: 1,
      'a check that writes nothing': 1,
      'a check that writes': 2,
      find: 1,
      'find, from 200': 1,
      endBefore: 1,
      remove: 1,
      'remove 200': 1,
    });
    expect(prepared.length).toBe(texts);
  });
});

function scansOf(db: DatabaseSync, text: string): string[] {
  const plan = db.prepare(`explain query plan ${text}`).all(...Array(text.split('?').length - 1).fill('1'));
  return plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN (?!\(|placed)/.test(detail));
}

describe('SqlSessionRecords', () => {
  it('refuses an object that is not a database, and an invalid name', () => {
    expect(() => SqlSessionRecords({} as never)).toThrow('does not support this database');
    const db = { prepare: () => undefined } as never;
    expect(() => SqlSessionRecords(db, { tables: { records: 'a;b' } })).toThrow(
      "`tables.records` must be a table's name",
    );
    expect(() => sessionRecordsSql('sqlite', { epochs: '"' })).toThrow("`tables.epochs` must be a table's name");
    expect(() => sessionRecordsSql('oracle' as never)).toThrow('the dialect must be one of');
  });

  it('opens nothing before the first step', async () => {
    const { db, statements } = counted(new DatabaseSync(':memory:'));
    const adapter = SqlAdapter(db);
    expect(adapter.sessionRecords).toBeDefined();
    expect(statements()).toEqual([]);
    await adapter.getUser('unknown');
    expect(statements().filter((text) => /session(Records|Epochs)/.test(text))).toEqual([]);
  });

  it('returns its statements', () => {
    expect(sessionRecordsSql('postgres', { records: 'auth.records', epochs: 'auth.epochs' }).split(';\n')).toEqual([
      'create table "auth"."records" ("id" text collate "C" not null primary key, "userId" text collate "C" not null, "startedAt" bigint not null, "seenAt" bigint not null, "expires" bigint not null, "provider" text, "authTime" bigint not null, "amr" text not null, "providerSession" text collate "C", "providerUser" text collate "C", "label" text, "network" text, "handle" text, "idToken" text)',
      'create index "auth_records_userId_seenAt" on "auth"."records" ("userId", "seenAt")',
      'create index "auth_records_providerSession" on "auth"."records" ("providerSession")',
      'create index "auth_records_providerUser" on "auth"."records" ("providerUser")',
      'create index "auth_records_expires" on "auth"."records" ("expires")',
      'create table "auth"."epochs" ("userId" text collate "C" not null primary key, "before" bigint not null, "except" text collate "C", "expires" bigint not null)',
      'create index "auth_epochs_expires" on "auth"."epochs" ("expires")',
      '',
    ]);
    expect(sessionRecordsSql('mysql')).toContain('engine = InnoDB');
  });
});

function openedFor(kind: (typeof places)[number]): () => Opened {
  const held: { opened?: Opened } = {};
  beforeAll(async () => {
    held.opened = await kind.open();
  });
  afterAll(() => held.opened?.close());
  return () => held.opened as Opened;
}
