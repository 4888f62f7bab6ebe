import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { available } from '../test/services/index.ts';
import { otherFigures } from './other/all.ts';
import { measureRow, middleOf, type RowPace, type RowResult } from './race/measure-row.ts';
import { Field } from './race/process.ts';
import { tableHead, tableLine } from './report/table.ts';
import { databaseRows, type Row, rows } from './rows.ts';
import { postgresStores, type Stores, sqliteStores } from './stores.ts';

/*
 * `npm run bench`: the table. `npm run bench:full`: the table with more rounds and more rows. See README.md.
 */

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string' },
    'warm-up': { type: 'string' },
  },
});

const { full, json } = values;
refuseUnknown();
const rounds = Number(values.rounds ?? (full ? 60 : 26));
const warmUp = Number(values['warm-up'] ?? (full ? 1000 : 450));
const pace: RowPace = { rounds, slice: full ? 12 : 10, warmUp };
const fields = Array.from({ length: full ? 3 : 1 }, () => new Field());
const results: RowResult[] = [];
const say = (text: string): void => {
  if (!json) console.log(text);
};

say(machine());
say(tableHead());
for (const row of rows.filter(isAsked)) await show(row);
await withStores('sqlite', () => sqliteStores(full ? [1000, 100_000, 1_000_000] : [1000, 100_000]));
if (await available('postgres')) await withStores('postgres', () => postgresStores(10_000));
const isWhole = values.only.length === 0;
if (isWhole) say('');
const other = isWhole || values.only.includes('other') ? await otherFigures(full, say) : [];
for (const field of fields) field.end();
if (json) console.log(JSON.stringify({ machine: machine(), rows: results, other }, null, 2));
else say(`\n${results.filter(({ reached }) => reached).length} of ${results.length} reached. ${machine()}`);

async function withStores(kind: 'sqlite' | 'postgres', open: () => Promise<Stores>): Promise<void> {
  if (values.only.length > 0 && !values.only.some((only) => only.startsWith(kind))) return;
  // New processes: after a configuration with credentials, Auth.js refuses database sessions in all configurations.
  for (const field of fields) field.end();
  const stores = await open();
  try {
    for (const row of databaseRows(kind, stores.databases).filter(isAsked)) await show(row);
  } finally {
    await stores.close();
  }
}

/** Measures a row several times, each with new processes, and prints the medians. */
async function show(row: Row): Promise<void> {
  if (row.alone) for (const field of fields) field.end();
  const measured: RowResult[] = [];
  for (const field of fields) measured.push(await measureRow(field, row, pace));
  const result = middleOf(row, measured);
  results.push(result);
  say(tableLine(result));
}

function isAsked({ id }: Row): boolean {
  return values.only.length === 0 || values.only.some((only) => isMeant(only, id));
}

function isMeant(only: string, id: string): boolean {
  return id === only || id.startsWith(`${only}-`);
}

/** Fails for an unknown `--only`: an empty table would look as if all goals were reached. */
function refuseUnknown(): void {
  const databases = ['sqlite', 'postgres'];
  const ids = [...rows.map(({ id }) => id), ...databases, 'other'];
  // The sizes of the databases are known only after they are created.
  const isKnown = (only: string): boolean =>
    ids.some((id) => isMeant(only, id)) || databases.some((kind) => isMeant(kind, only));
  const unknown = values.only.filter((only) => !isKnown(only));
  if (unknown.length === 0) return;
  console.error(
    `No line is called ${unknown.join(', ')}. There are ${ids.join(', ')}; --only may be given several times.`,
  );
  process.exit(1);
}

function machine(): string {
  return `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`;
}
