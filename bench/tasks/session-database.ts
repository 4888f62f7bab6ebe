import { DatabaseSync } from 'node:sqlite';
import type { Adapter } from '@latchkey/core/adapters';
import pg from 'pg';
import { describe } from '../answers/describe.ts';
import { databaseAnswerer, type Row } from '../limit/session-database.ts';
import { type FamilyName, family, logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { kyselyOnSqlite, pgOnPostgres } from '../sessions/peers.ts';
import { emailOf, tokenOf } from '../sessions/people.ts';
import { TUNING } from '../sessions/sqlite.ts';
import { selectByHand } from '../sessions/store.ts';
import { basePath, cookieNames, origin, secret, usualCookies } from '../visitor.ts';
import type { Answering } from './parts/asking.ts';

/** A database with rows. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Path of the file, or URL of the server's database. */
  readonly at: string;
  readonly people: number;
  /** Path of a file with the same rows, which have hashes in the place of session tokens. */
  readonly hashedAt?: string | undefined;
  /** Whether records of sessions are kept. */
  readonly records?: boolean | undefined;
  /** Whether the rows have hashes in the place of session tokens. */
  readonly hashed?: boolean | undefined;
}

/** Number of users who visit, spread evenly over all. */
const VISITORS = 1000;

function workOf(answering: Answering, { people, kind }: Database, close: () => Promise<void>): Work {
  const next = { visitor: 0 };
  const ask = (person: number): Response | Promise<Response> => {
    const cookie = `${usualCookies}; ${cookieNames.session}=${tokenOf(person)}`;
    return answering(new Request(`${origin}${basePath}/session`, { headers: { cookie } }));
  };
  return {
    waits: kind === 'postgres',
    run: () => {
      next.visitor = (next.visitor + 389) % VISITORS;
      return ask(Math.floor((next.visitor * people) / VISITORS));
    },
    async answer() {
      const described = await describe(await ask(7));
      if (!described.body.includes(emailOf(7))) throw new Error(`not the session of person 7: ${described.body}`);
      return described;
    },
    close,
  };
}

async function familyWork(name: FamilyName, database: Database): Promise<Work> {
  const { auth } = await family(name);
  const { adapter, close } = name === 'latchkey' ? await ours(database) : await theirs(database);
  const config = {
    adapter,
    providers: [],
    session: { strategy: 'database', records: database.records },
    secret,
    trustHost: true,
    basePath,
    logger,
  };
  return workOf((request) => auth(request, config), database, close);
}

interface Opened {
  readonly adapter: object;
  close(): Promise<void>;
}

async function ours({ kind, at, hashed }: Database): Promise<Opened> {
  const { SqlAdapter } = await import('@latchkey/adapter-sql');
  if (kind === 'sqlite') {
    const db = openFile(at);
    return {
      adapter: SqlAdapter(db, { migrate: false, hashSessionTokens: hashed }) satisfies Adapter,
      close: async () => db.close(),
    };
  }
  const pool = new pg.Pool({ connectionString: at });
  return { adapter: SqlAdapter(pool, { migrate: false }), close: () => pool.end() };
}

async function theirs({ kind, at }: Database): Promise<Opened> {
  const opened = await (kind === 'sqlite' ? kyselyOnSqlite(at) : pgOnPostgres(at));
  if (!opened) throw new Error('the adapter of the peer is not installed');
  return opened;
}

/** Opens a file with the setting that `bench/README.md` recommends for many sessions. */
function openFile(at: string): DatabaseSync {
  const db = new DatabaseSync(at);
  db.exec(`pragma ${TUNING}`);
  return db;
}

function limitWork(database: Database): Work {
  const { kind, at } = database;
  if (kind === 'sqlite') {
    const db = openFile(at);
    const select = db.prepare(selectByHand('?'));
    const answer = databaseAnswerer((token) => select.get(token) as Row | undefined, [secret]);
    return workOf(answer, database, async () => db.close());
  }
  const pool = new pg.Pool({ connectionString: at });
  const statement = { name: 'session-by-hand', text: selectByHand('$1') };
  const find = async (token: string): Promise<Row | undefined> =>
    (await pool.query<Row>({ ...statement, values: [token] })).rows[0];
  return workOf(databaseAnswerer(find, [secret]), database, () => pool.end());
}

export const workshop: Workshop = {
  latchkey: (database: Database) => familyWork('latchkey', database),
  authjs: (database: Database) => familyWork('authjs', database),
  limit: limitWork,
};
