import { parseArgs } from 'node:util';
import { Auth } from '@latchkey/core';
import { type AuthFunction, lookPast, lookThrough } from './look.ts';
import { type Clock, elapsed, measure, type Subject, worked } from './measure.ts';
import { authjs } from './peers.ts';
import { hasPostgres, openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { OpenStore, Store } from './store.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});

const sizes = values.sizes.split(',').map(Number);
const seconds = Number(values.seconds);
if (![...sizes, seconds].every((number) => number > 0)) throw new TypeError('--sizes and --seconds take numbers');

interface Database {
  readonly name: string;
  readonly open: OpenStore;
  readonly isThere: boolean;
  readonly clock: Clock;
}

const databases: readonly Database[] = [
  { name: 'SQLite', open: openSqlite, isThere: true, clock: worked },
  { name: 'PostgreSQL', open: openPostgres, isThere: hasPostgres, clock: elapsed },
];

const auth = Auth as unknown as AuthFunction;

for (const database of databases) {
  const { name, open, isThere } = database;
  if (!isThere || (values.only !== undefined && values.only.toLowerCase() !== name.toLowerCase())) continue;
  const stores: [number, Store][] = [];
  try {
    for (const people of sizes) {
      const start = performance.now();
      stores.push([people, await open(people)]);
      const took = Math.round((performance.now() - start) / 1000);
      console.log(`${name}: filled with ${people.toLocaleString('en')} people in ${took} s`);
    }
    await compareSizes(database, stores);
    const [people, store] = stores[Math.floor(stores.length / 2)] as [number, Store];
    await compareWriters(database, people, store);
  } finally {
    for (const [, store] of stores) await store.close();
  }
}

/** Compares the same request with few and with many sessions. */
async function compareSizes({ name, clock }: Database, stores: readonly [number, Store][]): Promise<void> {
  const counts = stores.map(([, store]) => store.statementsOf((adapter) => lookThrough(auth, adapter)(0)));
  const statements = [...new Set(await Promise.all(counts))].join(' or ');
  const tunings = [undefined, ...Object.keys(stores[0]?.[1].tuned ?? {})];
  for (const visitors of [Math.min(...sizes), undefined]) {
    for (const tuning of tunings) {
      const subjects = stores.map(([people, { adapter, tuned }]): Subject => {
        const chosen = (tuning === undefined ? undefined : tuned[tuning]) ?? adapter;
        const sessions = `${people.toLocaleString('en')} sessions`;
        return { name: sessions, look: lookThrough(auth, chosen), people, visitors };
      });
      const whose = visitors === undefined ? 'all' : `${visitors.toLocaleString('en')} of them`;
      const title = [name, ...(tuning === undefined ? [] : [tuning])].join(', ');
      const figures = await measure(subjects, clock, seconds);
      printTable(`${title}: GET session, visited by ${whose}, statements: ${statements}`, figures);
    }
  }
}

/** Compares Latchkey's adapter with a statement by hand and with adapters of other projects. */
async function compareWriters({ name, clock }: Database, people: number, store: Store): Promise<void> {
  const peers = await store.peers();
  const theirs = await authjs();
  const byHand = { ...store.adapter, ...store.byHand };
  const through: Subject[] = [
    { name: 'prepared statement by hand', look: lookThrough(auth, byHand), people },
    { name: 'SqlAdapter', look: lookThrough(auth, store.adapter), people },
    ...peers.map((peer) => ({ name: peer.name, look: lookThrough(auth, peer.adapter), people })),
    ...(theirs
      ? peers.map((peer) => ({ name: `${peer.name}, @auth/core`, look: lookThrough(theirs, peer.adapter), people }))
      : []),
  ];
  const size = `${people.toLocaleString('en')} sessions`;
  printTable(`${name}: GET session, ${size}`, await measure(through, clock, seconds));
  const past: Subject[] = [
    { name: 'prepared statement by hand', look: lookPast(store.byHand), people },
    { name: 'SqlAdapter', look: lookPast(store.adapter), people },
  ];
  printTable(`${name}: getSessionAndUser alone, ${size}`, await measure(past, clock, seconds));
}
