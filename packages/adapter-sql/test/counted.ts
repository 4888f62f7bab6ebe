import type { Database } from '../src/index.ts';

/** A database that records its statements. */
export interface Counted<Db> {
  readonly db: Db;
  /** The prepared statements; SQLite only. */
  readonly prepared: string[];
  /** Returns the statements since the last call, without `begin` and `commit`. */
  statements(): string[];
}

/** Methods that run a statement. */
const RUNNING: ReadonlySet<unknown> = new Set(['query', 'execute']);
/** Methods that return a connection or a transaction. */
const LEADING: ReadonlySet<unknown> = new Set(['connect', 'getConnection', 'transaction']);
const CONTROL = /^\s*(begin|commit|rollback|savepoint|release|set transaction)\b/i;

/**
 * Watches a database of any kind that is not a Kysely.
 *
 * @param after Called when a statement has run, before the adapter hears of it.
 */
export function counted<Db extends Database>(db: Db, after?: (sql: string) => unknown): Counted<Db> {
  const prepared: string[] = [];
  const run: string[] = [];

  function watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...parameters: unknown[]) => unknown;
        if (name === 'prepare') return (sql: string) => statement(sql, method(sql) as object);
        if (RUNNING.has(name)) return (...parameters: unknown[]) => told(textOf(parameters[0]), method, parameters);
        return LEADING.has(name) ? (...parameters: unknown[]) => led(method, parameters) : method;
      },
    });
  }

  function told(sql: string, method: (...parameters: unknown[]) => unknown, parameters: unknown[]): unknown {
    run.push(sql);
    const result = method(...parameters);
    if (!after) return result;
    if (!(result instanceof Promise)) {
      after(sql);
      return result;
    }
    return result.then(async (value) => {
      await after(sql);
      return value;
    });
  }

  /** PGlite passes its transaction to a callback; other databases return a connection. */
  async function led(method: (...parameters: unknown[]) => unknown, parameters: unknown[]): Promise<unknown> {
    const [work] = parameters;
    if (typeof work === 'function') return method((transaction: object) => work(watched(transaction)));
    return watched((await method(...parameters)) as object);
  }

  function statement(sql: string, made: object): object {
    prepared.push(sql);
    return new Proxy(made, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...parameters: unknown[]) => unknown;
        return name === 'all' || name === 'run' ? (...parameters: unknown[]) => told(sql, method, parameters) : method;
      },
    });
  }

  return {
    db: watched(db),
    prepared,
    statements: () => run.splice(0).filter((sql) => !CONTROL.test(sql)),
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const { text, sql } = statement as { text?: string; sql?: string };
  return text ?? sql ?? '';
}
