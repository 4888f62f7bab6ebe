import type { Contender } from './race/work.ts';
import type { Database } from './tasks/session-database.ts';

/** A line of the table: a task and the speed to be reached. */
export interface Row {
  /** For `--only`. */
  readonly id: string;
  readonly title: string;
  /** File in `bench/tasks`. */
  readonly work: string;
  readonly parameter?: unknown;
  /** Contenders besides Latchkey. Default: Auth.js and the limit. */
  readonly beside?: readonly Contender[] | undefined;
  readonly goal: Goal;
  /** Latchkey with another parameter must take as long, within this part. */
  readonly same?: { readonly parameter: unknown; readonly within: number } | undefined;
  /**
   * Factor for the time of warming up. A line with much code needs more time, because the compiler must be done before
   * measuring starts. A line that follows another with the same code needs no factor. Default: 1.
   */
  readonly warmUp?: number | undefined;
  /**
   * Factor for the length of a slice. Default: 1. A line with much code or data needs longer slices, because at first
   * the processor's caches hold the data of another contender. A line with a server needs them, too: the system often
   * changes whether contender and server run on one core or on two.
   */
  readonly slice?: number | undefined;
  /** Whether the line gets new processes. Otherwise code that it shares with other lines is compiled for those. */
  readonly alone?: boolean | undefined;
  /** Without `node:crypto`. */
  readonly portable?: boolean | undefined;
  /**
   * The clock for the share of the limit. Default: the processor's time. A task that waits for a server needs `wall`.
   */
  readonly clock?: 'cpu' | 'wall' | undefined;
}

/** The speed to be reached. */
interface Goal {
  /** Times as fast as Auth.js by the wall clock, because Auth.js waits for threads. */
  readonly over?: number | undefined;
  /** Share of the limit's speed. */
  readonly share?: number | undefined;
}

const sessions: readonly Row[] = [
  {
    id: 'session',
    title: 'GET session, JWT, re-issued',
    work: 'session-jwt',
    parameter: {},
    beside: ['authjs', 'limit', 'better-auth'],
    goal: { over: 13, share: 0.85 },
  },
  {
    id: 'session-32',
    title: '… with 32 in flight',
    work: 'session-jwt',
    parameter: { inFlight: 32 },
    goal: { over: 13, share: 0.8 },
  },
  {
    id: 'session-fresh',
    title: '… a new config object each',
    work: 'session-jwt',
    parameter: { fresh: true },
    goal: { over: 13, share: 0.65 },
  },
  {
    id: 'session-many',
    title: '… 100 providers, 10 secrets',
    work: 'session-jwt',
    parameter: {},
    beside: [],
    goal: {},
    same: { parameter: { providers: 100, secrets: 10 }, within: 0.1 },
  },
  {
    id: 'session-records',
    title: '… with records, within the lag',
    work: 'session-jwt',
    parameter: { claim: true },
    beside: [],
    goal: {},
    same: { parameter: { claim: true, records: true }, within: 0.05 },
  },
  {
    id: 'session-none',
    title: 'GET session, no cookie',
    work: 'session-jwt',
    parameter: { cookies: 'none' },
    goal: { over: 6, share: 0.65 },
  },
  { id: 'csrf', title: 'GET csrf', work: 'csrf', goal: { over: 6, share: 0.65 } },
  {
    id: 'portable',
    title: 'GET session, JWT, portable engine',
    work: 'session-jwt',
    parameter: { portable: true },
    portable: true,
    goal: { over: 4, share: 0.75 },
  },
];

const providers: readonly Row[] = [
  { id: 'providers-1', title: 'GET providers, 1', work: 'providers', parameter: 1, goal: { over: 7, share: 0.65 } },
  { id: 'providers-10', title: 'GET providers, 10', work: 'providers', parameter: 10, goal: { over: 8, share: 0.65 } },
  { id: 'providers-80', title: 'GET providers, 80', work: 'providers', parameter: 80, goal: { over: 17, share: 0.65 } },
];

const tokens: readonly Row[] = (['encode', 'decode'] as const).flatMap((does): Row[] => [
  { id: does, title: does, work: 'tokens', parameter: { does, secrets: 1 }, goal: { over: 24, share: 0.75 } },
  ...[3, 10].map(
    (secrets): Row => ({
      id: `${does}-${secrets}`,
      title: `… ${secrets} secrets`,
      work: 'tokens',
      parameter: { does, secrets: 1 },
      beside: [],
      goal: {},
      same: { parameter: { does, secrets }, within: 0.1 },
    }),
  ),
]);

const signIns: readonly Row[] = [
  {
    id: 'signin-oauth',
    title: 'POST signin, OAuth',
    warmUp: 3,
    work: 'signin-oauth',
    parameter: 'oauth',
    beside: ['authjs', 'limit', 'better-auth'],
    goal: { over: 13, share: 0.65 },
  },
  {
    id: 'signin-oidc',
    title: 'POST signin, OIDC',
    work: 'signin-oauth',
    parameter: 'oidc',
    goal: { over: 20, share: 0.65 },
  },
  {
    id: 'whole',
    title: 'OIDC sign-in, there and back',
    work: 'callback-oidc',
    parameter: 'whole',
    warmUp: 8,
    slice: 3,
    goal: { over: 7, share: 0.55 },
  },
  {
    id: 'callback',
    title: 'OIDC callback',
    warmUp: 3,
    slice: 3,
    work: 'callback-oidc',
    parameter: 'callback',
    goal: { over: 12, share: 0.55 },
  },
  {
    id: 'credentials',
    title: 'credentials sign-in',
    warmUp: 3,
    work: 'credentials',
    beside: ['authjs', 'limit', 'better-auth'],
    goal: { over: 11, share: 0.65 },
  },
  {
    id: 'mail',
    title: 'mailed link',
    warmUp: 3,
    work: 'email',
    parameter: 'link',
    beside: ['authjs'],
    // Auth.js remembers per process that a configuration has an email provider, and then refuses the other lines.
    alone: true,
    goal: { over: 5 },
  },
  ...(['link-of-code', 'code'] as const).map(
    (by): Row => ({
      id: `mail-${by}`,
      title: by === 'code' ? '… by the code of a mail' : '… of a mail with a code',
      warmUp: 3,
      work: 'email',
      parameter: 'link',
      alone: true,
      beside: [],
      goal: {},
      same: { parameter: by, within: 0.2 },
    }),
  ),
  {
    id: 'page-10',
    title: 'sign-in page, 10 providers',
    warmUp: 3,
    work: 'signin-page',
    parameter: 10,
    goal: { over: 9, share: 0.65 },
  },
  {
    id: 'page-80',
    title: 'sign-in page, 80 providers',
    work: 'signin-page',
    parameter: 80,
    goal: { over: 17, share: 0.65 },
  },
  {
    id: 'express',
    title: 'GET session, HTTP, Express 5',
    work: 'express',
    warmUp: 6,
    alone: true,
    goal: { over: 5, share: 0.75 },
  },
];

/** All lines that need no database. */
export const rows: readonly Row[] = [...sessions, ...providers, ...tokens, ...signIns];

/** Returns the lines of a kind of database. Larger databases are compared with the first one. */
export function databaseRows(kind: 'sqlite' | 'postgres', databases: readonly Database[]): Row[] {
  const [first, ...others] = databases;
  if (!first) return [];
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const goal = kind === 'sqlite' ? { over: 5.5, share: 0.65 } : { over: 1.6, share: 0.9 };
  const variant = (id: string, title: string, parameter: Database): Row => ({
    id: `${kind}-${id}`,
    title,
    work: 'session-database',
    parameter: first,
    beside: [],
    goal: {},
    same: { parameter, within: 0.05 },
  });
  const size = (database: Database): string => database.people.toLocaleString('en');
  return [
    {
      id: kind,
      title: `GET session, ${name}, ${size(first)} rows`,
      work: 'session-database',
      parameter: first,
      goal,
      warmUp: kind === 'postgres' ? 8 : 1,
      slice: kind === 'postgres' ? 5 : 1,
      clock: kind === 'sqlite' ? 'cpu' : 'wall',
    },
    ...others.map(
      (database): Row => ({
        id: `${kind}-${database.people}`,
        title: `… ${size(database)} rows`,
        work: 'session-database',
        parameter: first,
        beside: [],
        goal: {},
        same: { parameter: database, within: 0.2 },
        slice: kind === 'postgres' ? 5 : 3,
        clock: kind === 'sqlite' ? 'cpu' : 'wall',
      }),
    ),
    ...(kind === 'sqlite'
      ? [
          variant('records', '… with records', { ...first, records: true }),
          variant('hashed', '… hashed session tokens', { ...first, at: first.hashedAt ?? first.at, hashed: true }),
        ]
      : []),
  ];
}
