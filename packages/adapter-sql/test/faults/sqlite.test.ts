import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@libsql/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/index.ts';
import { betterSqlite3, newFolder } from '../engines/engines.ts';
import { application, stranger, wrongRefusal } from './application.ts';
import type { Desk } from './places.ts';
import { startProgram } from './program.ts';
import { tallyOf } from './tally.ts';

/** A database in a file. */
interface Opened {
  readonly db: Database;
  /**
   * Another connection to the file, by the same copy of SQLite: one copy does not see the locks of another in its own
   * process.
   */
  readonly desk: Desk;
  /** Runs on the adapter's own connection. */
  exec(sql: string): unknown;
  close(): void;
}

const drivers: Record<string, (path: string) => Opened> = {
  'node:sqlite': (path) => {
    const [db, desk] = [new DatabaseSync(path), new DatabaseSync(path)];
    return {
      db,
      desk: deskOf(async (sql) => desk.prepare(sql).all()),
      exec: (sql) => db.exec(sql),
      close: () => {
        db.close();
        desk.close();
      },
    };
  },
  'better-sqlite3': (path) => {
    const [db, desk] = [betterSqlite3(path), betterSqlite3(path)];
    // Its own waiting would block the event loop.
    db.exec('pragma busy_timeout = 0');
    return {
      db,
      desk: deskOf(async (sql) => desk.prepare(sql).all() as Row[]),
      exec: (sql) => db.exec(sql),
      close: () => {
        db.close();
        desk.close();
      },
    };
  },
  libSQL: (path) => {
    const db = createClient({ url: `file:${path}` });
    return {
      db,
      desk: deskOf(async (sql) => (await db.execute(sql)).rows as unknown as Row[]),
      exec: (sql) => db.execute(sql),
      close: () => db.close(),
    };
  },
};

type Row = Record<string, unknown>;

function deskOf(rows: Desk['rows']): Desk {
  return { rows, run: async (sql) => void (await rows(sql)), close: async () => undefined };
}

/** Returns a path in a folder that is removed after the test. */
function newPath(): string {
  const folder = newFolder();
  onTestFinished(folder.remove);
  return folder.path('auth.db');
}

function opened(driver: string, path: string): Opened {
  const one = drivers[driver]?.(path) as Opened;
  onTestFinished(one.close);
  return one;
}

describe('a SQLite file that another process writes to', () => {
  async function locker(path: string): Promise<{ lock(): Promise<string>; release(): Promise<string> }> {
    const program = startProgram('locker.ts', path);
    onTestFinished(() => program.kill());
    await program.ask('pragma journal_mode = wal');
    return { lock: () => program.ask('begin immediate'), release: () => program.ask('rollback') };
  }

  it.each(Object.keys(drivers))('keeps a sign-in waiting: %s', async (driver) => {
    const path = newPath();
    const { lock, release } = await locker(path);
    const { db, desk } = opened(driver, path);
    const app = application(db);
    await app.signIn(app.visitor(), stranger());
    await lock();
    const [browser, user] = [app.visitor(), stranger()];
    let isDone = false;
    const signingIn = app.signIn(browser, user).finally(() => {
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isDone).toBe(false);
    await release();
    await signingIn;
    expect(await app.session(browser)).toMatchObject({ user: { email: user.email } });
    expect(app.logged()).toBe('');
    expect(await tallyOf(desk)).toEqual({ users: 2, sessions: 2, halves: 0 });
  });

  it('for too long refuses a sign-in, and keeps visitors signed in', async () => {
    // Simultaneously, because each waits for five seconds.
    await Promise.all(Object.keys(drivers).map(turnsAway));
  });

  async function turnsAway(driver: string): Promise<void> {
    const path = newPath();
    const { lock, release } = await locker(path);
    const { db, desk } = opened(driver, path);
    const app = application(db);
    const [browser, user] = [app.visitor(), stranger()];
    await app.signIn(browser, user);
    await lock();
    const [newcomer, other] = [app.visitor(), stranger()];
    const refused = app.signIn(newcomer, other);
    expect(await app.session(browser), driver).toMatchObject({ user: { email: user.email } });
    expect(wrongRefusal(await refused), driver).toBe('');
    expect(app.logged(), driver).toMatch(/database is locked/);
    await release();
    expect(await tallyOf(desk), driver).toEqual({ users: 1, sessions: 1, halves: 0 });
    await app.signIn(newcomer, other);
    expect(await app.session(newcomer), driver).toMatchObject({ user: { email: other.email } });
    expect(await tallyOf(desk), driver).toEqual({ users: 2, sessions: 2, halves: 0 });
  }
});

describe.each(Object.keys(drivers))('a SQLite database on a full disk, by %s', (driver) => {
  it('writes a first sign-in completely or not at all, and works when there is space', async () => {
    const { db, desk, exec } = opened(driver, newPath());
    const app = application(db);
    const [ada, user] = [app.visitor(), stranger()];
    await app.signIn(ada, user);
    let turnedAway = 0;
    // One page more each time, until there is enough space.
    for (let room = 0; ; room++) {
      const [before, newcomer] = [await tallyOf(desk), app.visitor()];
      const other = { ...stranger(), name: 'x'.repeat(20_000) };
      const [pages] = await desk.rows('pragma page_count');
      await exec(`pragma max_page_count = ${Number(pages?.['page_count']) + room}`);
      const answer = await app.signIn(newcomer, other);
      const wrong = wrongRefusal(answer);
      expect((await tallyOf(desk)).halves).toBe(0);
      // Visitors stay signed in.
      expect(await app.session(ada)).toMatchObject({ user: { email: user.email } });
      await exec('pragma max_page_count = 1000000');
      if (wrong === '') {
        turnedAway++;
        expect(app.logged()).toMatch(/full/);
        await app.signIn(newcomer, other);
      }
      expect(await app.session(newcomer)).toMatchObject({ user: { email: other.email } });
      expect(await tallyOf(desk)).toEqual({ users: before.users + 1, sessions: before.sessions + 1, halves: 0 });
      if (wrong !== '') break;
      expect(room).toBeLessThan(60);
    }
    expect(turnedAway).toBeGreaterThan(3);
  });
});
