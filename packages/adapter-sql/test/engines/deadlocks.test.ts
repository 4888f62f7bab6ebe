import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from './engines.ts';
import { batch, insert, makeThings, query, rowsOf } from './things.ts';

/** Servers with simultaneous transactions. */
const servers = engines.filter(
  ({ name, dialect, isAvailable }) => isAvailable && dialect !== 'sqlite' && name !== 'PGlite',
);

describe.each(servers)('$name', ({ open, dialect }) => {
  it('runs a transaction again after a deadlock', async () => {
    const { engine, close } = await open();
    try {
      await makeThings(engine);
      await batch(engine, [insert(engine, 1, 'a', 0), insert(engine, 2, 'b', 0)]);
      const wait = query(engine, dialect === 'mysql' ? sql`select sleep(0.3)` : sql`select pg_sleep(0.3)`);
      let attempts = 0;
      const increment = (id: number) => query(engine, sql`update things set number = number + 1 where id = ${id}`);
      const both = (first: number, second: number) =>
        batch(engine, [
          () => {
            attempts++;
            return increment(first);
          },
          wait,
          increment(second),
        ]);
      let rounds = 0;
      // On a busy machine, the first transaction may end before the second begins. Then there is no deadlock.
      while (attempts === 2 * rounds && rounds < 20) {
        rounds++;
        await Promise.all([both(1, 2), both(2, 1)]);
      }
      expect(attempts).toBeGreaterThan(2 * rounds);
      const numbers = await rowsOf(engine, sql`select number from things order by id`);
      expect(numbers.map(({ number }) => Number(number))).toEqual([2 * rounds, 2 * rounds]);
    } finally {
      await close();
    }
  });
});
