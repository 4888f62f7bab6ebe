import type { Engine, Query, Result, Row, SqlValue } from '../dialect.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { type Failures, membersOf, retrying, sqliteFailures } from './failures.ts';
import { isSelect, runSteps } from './steps.ts';

/** The part of a client of `@libsql/client` (0.18 or later) that the adapter uses. */
export interface LibsqlClient {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  executeMultiple?(sql: string): Promise<void>;
  transaction(mode: 'write'): Promise<LibsqlTransaction>;
  readonly protocol: string;
}

/** A transaction of a {@link LibsqlClient}. */
interface LibsqlTransaction {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>;
  commit(): Promise<void>;
  /** Rolls back unless the transaction was committed. */
  close(): void;
}

/** A statement for a {@link LibsqlClient}. */
interface LibsqlStatement {
  sql: string;
  args: SqlValue[];
}

/** The result of a statement of a {@link LibsqlClient}. */
interface LibsqlResult {
  readonly rows: readonly object[];
  readonly rowsAffected: number;
}

/** A client with one connection (a database in memory, a replica) refuses other statements during a transaction. */
const failures: Failures = {
  isLost: (error) => sqliteFailures.isLost(error) || membersOf(error)['code'] === 'TRANSACTION_ACTIVE',
  violated: sqliteFailures.violated,
};

/**
 * Returns an engine for libSQL. The database has one writer at a time. A statement fails at once while another
 * connection writes to the file, so the writes of this process wait for each other here.
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
    if (!checked) await checkMemory(client);
    checked = true;
    await checkLock(client);
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
              await checkLock(client);
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
 * Clients before 0.18 give their connection to a transaction and open another one, which makes a database in memory
 * empty.
 *
 * @throws {TypeError} if the client does this.
 */
async function checkMemory(client: LibsqlClient): Promise<void> {
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
    'this version of @libsql/client loses a database in memory after a transaction. Use version 0.18 or later, or a file',
  );
}

/**
 * Rejects while another connection writes to the file. The driver (as of 0.18) does not finish a statement that fails
 * because of a lock. Its connection then cannot commit a transaction until the statement is garbage-collected. The
 * driver does finish a script, so this script tries to get the lock first.
 */
async function checkLock(client: LibsqlClient): Promise<void> {
  if (client.protocol === 'file') await client.executeMultiple?.('begin immediate; rollback');
}

async function execute(on: Pick<LibsqlClient, 'execute'>, { sql, parameters }: Query): Promise<Result> {
  const { rows, rowsAffected } = await on.execute({ sql, args: [...parameters] });
  // A local database does not count rows that it returns.
  return { rows: rows as readonly Row[], affected: isSelect(sql) ? 0 : Math.max(rows.length, rowsAffected) };
}
