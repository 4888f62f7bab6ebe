import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DateFormat, SqlAdapter } from '../../src/index.ts';
import { documented } from './documented.ts';
import { type OpenedDatabase, openDocumented } from './opened.ts';

const past = new Date('2026-03-01T12:00:00.123Z');
const now = new Date('2026-03-01T12:00:00.124Z');
const future = new Date('2026-03-01T12:00:00.125Z');

/** The formats of dates in a SQLite database: of Prisma before version 7, of Prisma since then, and of Latchkey. */
const forms: Readonly<Record<string, (date: Date) => string>> = {
  number: (date) => String(date.getTime()),
  'text with an offset': (date) => `'${date.toISOString().replace('Z', '+00:00')}'`,
  'text with a Z': (date) => `'${date.toISOString()}'`,
};

describe.each<DateFormat>(['native', 'milliseconds'])(
  'a SQLite database of Prisma, with dates written as %s',
  (dates) => {
    let database: OpenedDatabase;
    let adapter: SqlAdapter;

    beforeAll(async () => {
      database = await openDocumented(documented.prismaSqlite);
      adapter = database.adapter({ schema: { preset: 'prisma-adapter', dates }, now: () => now });
      await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: past });
    });
    afterAll(() => database.close());

    const put = (token: string, expires: string) =>
      database.run(
        `insert into "Session" ("sessionToken", "userId", expires, "updatedAt") values ('${token}', 'ada', ${expires}, 0)`,
      );

    it.each(Object.entries(forms))('reads a %s and extends the session', async (form, written) => {
      await put(form, written(future));
      expect((await adapter.getSessionAndUser(form))?.session.expires).toEqual(future);
      const to = new Date('2027-01-01T00:00:00.001Z');
      expect(await adapter.extendSession({ sessionToken: form, from: past, to })).toBe(false);
      expect(await adapter.extendSession({ sessionToken: form, from: future, to })).toBe(true);
      expect((await adapter.getSessionAndUser(form))?.session.expires).toEqual(to);
      await database.run('delete from "Session"');
    });

    it('deletes rows that have expired in each format, and no others', async () => {
      for (const [form, written] of Object.entries(forms)) {
        await put(`${form}: past`, written(past));
        await put(`${form}: now`, written(now));
        await put(`${form}: future`, written(future));
      }
      expect(await adapter.cleanup()).toBe(3);
      const left = (await database.rows('select "sessionToken" as token from "Session"')).map(({ token }) => token);
      expect(left.sort()).toEqual(
        Object.keys(forms)
          .flatMap((form) => [`${form}: future`, `${form}: now`])
          .sort(),
      );
      await database.run('delete from "Session"');
    });

    it('does not read a session without a valid expiry', async () => {
      await put('no date', `'soon'`);
      await put('no day', `'2026-13-41T00:00:00.000+00:00'`);
      for (const token of ['no date', 'no day']) expect(await adapter.getSessionAndUser(token)).toBeNull();
      await database.run('delete from "Session"');
    });

    it('renews an expired spent key in each format', async () => {
      for (const [form, written] of Object.entries(forms))
        await database.run(
          `insert into "VerificationToken" (identifier, token, expires) values ('latchkey:spent', '${form}', ${written(past)})`,
        );
      for (const form of Object.keys(forms)) {
        expect(await adapter.spendOnce(form, future)).toBe(true);
        expect(await adapter.spendOnce(form, future)).toBe(false);
      }
    });

    it('writes dates in this format', async () => {
      const expected = { native: '2026-03-01T12:00:00.123+00:00', milliseconds: past.getTime() }[dates];
      const [row] = await database.rows('select "emailVerified" as verified from "User"');
      expect(row).toEqual({ verified: expected });
    });

    it('stores the earliest and the latest date', async () => {
      for (const text of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z']) {
        const expires = new Date(text);
        await adapter.createSession({ sessionToken: text, userId: 'ada', expires });
        expect((await adapter.getSessionAndUser(text))?.session.expires).toEqual(expires);
      }
    });
  },
);
