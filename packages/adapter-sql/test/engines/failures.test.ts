import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Failures,
  mysqlFailures,
  postgresFailures,
  retrying,
  retryingAfter,
  sqliteFailures,
} from '../../src/engines/failures.ts';
import { UniqueViolation } from '../../src/errors.ts';

describe('retrying', () => {
  const lost = new Error('lost');
  const failures: Failures = { isLost: (error) => error === lost, violated: () => null };

  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs work until it succeeds', async () => {
    let attempts = 0;
    const result = retrying(failures, () => {
      if (++attempts < 5) throw lost;
      return 'done';
    });
    await vi.runAllTimersAsync();
    expect(await result).toBe('done');
    expect(attempts).toBe(5);
  });

  it('gives up after five seconds with increasing pauses, and rejects with the last error', async () => {
    const start = Date.now();
    const at: number[] = [];
    const result = retrying(failures, async () => {
      at.push(Date.now() - start);
      throw lost;
    });
    const outcome = expect(result).rejects.toBe(lost);
    await vi.runAllTimersAsync();
    await outcome;
    expect(at.at(-1)).toBeGreaterThanOrEqual(5000);
    expect(at.at(-1)).toBeLessThan(5200);
    expect(at.length).toBeLessThan(120);
    expect(at.filter((time) => time < 20).length).toBeGreaterThan(2);
  });

  it('counts the time of the first attempt', async () => {
    const begun = Date.now();
    await vi.advanceTimersByTimeAsync(5000);
    const work = vi.fn(() => 'done');
    expect(() => retryingAfter(lost, failures, work, begun)).toThrow(lost);
    expect(work).not.toHaveBeenCalled();
    const late = retryingAfter(lost, failures, work, begun + 1000);
    await vi.runAllTimersAsync();
    expect(await late).toBe('done');
  });

  it('does not run again after another error', async () => {
    const other = new Error('other');
    let attempts = 0;
    await expect(
      retrying(failures, () => {
        attempts++;
        throw other;
      }),
    ).rejects.toBe(other);
    expect(attempts).toBe(1);
  });

  it('reports a violated key, also after a retry', async () => {
    const thrown: unknown[] = [
      lost,
      { code: '23505', constraint: 'users_email', detail: 'Key (email)=(secret) already exists.' },
    ];
    const result = retrying({ ...postgresFailures, isLost: failures.isLost }, () => {
      throw thrown.shift();
    });
    const outcome = expect(result).rejects.toThrow(new UniqueViolation('users_email'));
    await vi.runAllTimersAsync();
    await outcome;
  });
});

describe('errors', () => {
  /** The name of the key is last in each language of the server. */
  const duplicates: [string, string][] = [
    ["Duplicate entry 'ada' for key 'email'", 'email'],
    ["Duplicate entry 'ada' for key 'auth_users.email'", 'auth_users.email'],
    ["Duplicate entry 'x' for key 'y'' for key 'PRIMARY'", 'PRIMARY'],
    ["Doppelter Eintrag 'ada' für Schlüssel 'email'", 'email'],
    ["Duplicata du champ 'ada' pour la clef 'email'", 'email'],
    ["'ada' は索引 'email' で重複しています。", 'email'],
    ['something without a name', 'unnamed'],
  ];

  it.each(duplicates)('of MySQL name the violated key: %s', (sqlMessage, name) => {
    expect(mysqlFailures.violated({ errno: 1062, sqlMessage })).toBe(name);
    expect(mysqlFailures.violated({ errno: 1048, sqlMessage })).toBeNull();
  });

  it('of SQLite name the violated columns for each client', () => {
    const message = 'UNIQUE constraint failed: auth_users.email';
    for (const error of [
      { errcode: 2067, message },
      { errcode: 1555, message },
      { code: 'SQLITE_CONSTRAINT_UNIQUE', message },
      { code: 'SQLITE_CONSTRAINT_PRIMARYKEY', message },
      { code: 'SQLITE_CONSTRAINT', rawCode: 2067, message: `SQLITE_CONSTRAINT: ${message}` },
      { code: 'SQLITE_CONSTRAINT', message: `SQLITE_CONSTRAINT: SQLite error: ${message}` },
    ])
      expect(sqliteFailures.violated(error)).toBe('auth_users.email');
    for (const error of [
      { errcode: 1299, message: 'NOT NULL constraint failed: auth_users.email' },
      { code: 'SQLITE_CONSTRAINT', message: 'SQLITE_CONSTRAINT: NOT NULL constraint failed: a' },
      { code: 'SQLITE_ERROR', message },
      null,
      'UNIQUE constraint failed: a',
    ])
      expect(sqliteFailures.violated(error)).toBeNull();
  });

  it('of conflicting transactions are recognized', () => {
    const lost: [Failures, unknown[]][] = [
      [sqliteFailures, [{ errcode: 5 }, { errcode: 517 }, { code: 'SQLITE_BUSY' }, { code: 'SQLITE_BUSY_SNAPSHOT' }]],
      [postgresFailures, [{ code: '40001' }, { code: '40P01' }]],
      [mysqlFailures, [{ errno: 1213 }, { errno: 1205 }, { errno: 1020 }, { errno: 3101 }]],
    ];
    for (const [{ isLost }, errors] of lost) {
      for (const error of errors) expect(isLost(error)).toBe(true);
      for (const error of [
        null,
        undefined,
        'x',
        new Error('x'),
        { errcode: 1 },
        { code: '40003' },
        { code: '08006' },
        { errno: 2013 },
      ])
        expect(isLost(error)).toBe(false);
    }
  });
});
