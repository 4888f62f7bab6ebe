import type { Engine, Query, Result, Row, SqlValue } from '../dialect.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { type Failures, membersOf, retrying } from './failures.ts';
import { sqliteFailures } from './sqlite-failures.ts';
import { isSelect, runSteps } from './steps.ts';

/** What we need of a client of `@libsql/client` (0.18 or newer), for a file, a server, or a replica of one. */
export interface LibsqlClient {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  executeMultiple?(sql: string): Promise<void>;
  transaction(mode: 'write'): Promise<LibsqlTransaction>;
  readonly protocol: string;
}

/** A transaction of a {@link LibsqlClient}. */
export interface LibsqlTransaction {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  commit(): Promise<void>;
  /** Undoes what was not committed. */
  close(): void;
}

/** A statement for a {@link LibsqlClient}. */
export interface LibsqlStatement {
  sql: string;
  args: SqlValue[];
}

/** What a {@link LibsqlClient} answers. */
export interface LibsqlResult {
  readonly rows: readonly object[];
  readonly rowsAffected: number;
}

/**
 * A client that has one connection (a database in memory, a replica) refuses to run anything beside a transaction; nothing
 * has happened then.
 */
const failures: Failures = {
  isLost: (error) => sqliteFailures.isLost(error) || membersOf(error)['code'] === 'TRANSACTION_ACTIVE',
  violated: sqliteFailures.violated,
};

/**
 * Runs statements on libSQL. Whatever writes waits for its turn here: the database has one writer at a time, and a file on
 * which another connection is writing does not wait but fails.
 */
export function libsqlEngine(client: LibsqlClient): Engine {
  let last: Promise<unknown> = Promise.resolve();
  let checked = false;

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function transaction<Result>(work: (transaction: LibsqlTransaction) => Promise<Result>): Promise<Result> {
    if (!checked) await checkRemembers(client);
    checked = true;
    await meetLock(client);
    const transaction = await client.transaction('write');
    try {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } finally {
      transaction.close();
    }
  }

  return {
    dialect: sqlite,
    run: (query) =>
      isSelect(query.sql)
        ? retrying(failures, () => execute(client, query))
        : inTurn(() =>
            retrying(failures, async () => {
              await meetLock(client);
              return execute(client, query);
            }),
          ),
    batch: (steps, check) =>
      inTurn(() =>
        retrying(failures, () =>
          transaction(async (transaction) => {
            const results = await runSteps(steps, (query) => execute(transaction, query));
            check?.(results);
            return results;
          }),
        ),
      ),
  };
}

/**
 * Clients before 0.18 give their connection away to a transaction and open another, which for a database in memory is a new
 * and empty one.
 *
 * @throws {TypeError} when it is such a client with such a database.
 */
async function checkRemembers(client: LibsqlClient): Promise<void> {
  if (client.protocol !== 'file') return;
  const { rows } = await client.execute({ sql: `select file from pragma_database_list where name = 'main'`, args: [] });
  if ((rows[0] as Row | undefined)?.['file']) return;
  const transaction = await client.transaction('write');
  try {
    await transaction.execute({ sql: 'create table latchkey_probe (probe)', args: [] });
    const beside = client.execute({ sql: 'select * from latchkey_probe', args: [] });
    const forgets = await beside.then(
      () => false,
      (error: unknown) => membersOf(error)['code'] === 'SQLITE_ERROR',
    );
    if (!forgets) return;
  } finally {
    transaction.close();
  }
  throw new TypeError(
    'this version of @libsql/client loses a database in memory with each transaction. Use version 0.18 or newer, or a file',
  );
}

/**
 * Rejects when another connection is writing to the file. A statement that meets such a lock is never finished by the driver
 * (as of 0.18), and its connection can commit no transaction before the garbage collector has passed. What is run as a
 * script is always finished, so a script meets the lock instead.
 */
async function meetLock(client: LibsqlClient): Promise<void> {
  if (client.protocol === 'file') await client.executeMultiple?.('begin immediate; rollback');
}

async function execute(on: Pick<LibsqlClient, 'execute'>, { sql, parameters }: Query): Promise<Result> {
  const { rows, rowsAffected } = await on.execute({ sql, args: [...parameters] });
  // A local database counts nothing where there are rows.
  return { rows: rows as readonly Row[], affected: isSelect(sql) ? 0 : Math.max(rows.length, rowsAffected) };
}
