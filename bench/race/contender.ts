import type { Contender, Slice, Work, Workshop } from './work.ts';

/*
 * A contender's process. It prepares the work that the parent names, and repeats it when the parent orders it. One
 * process does all lines of the table, as a server does.
 */

/** An order of the parent. `work` is the number that `open` returned. `slice` is in milliseconds. */
export type Order =
  | { readonly work: number; readonly open: { readonly file: string; readonly parameter: unknown } }
  | { readonly work: number; readonly slice: number }
  | { readonly work: number; readonly does: 'answer' | 'close' };

/** The answer to an order, and its task. */
export interface Reply {
  readonly work: number;
  readonly report: Report;
}

/** The result of an order. */
export type Report = { readonly answer: unknown } | Slice | { readonly problem: string };

const [contender = '', portable = ''] = process.argv.slice(2);
if (portable === 'portable') process.getBuiltinModule = (() => undefined) as never;

/** A work, and the number of its runs between two readings of the clock. */
interface Opened {
  readonly work: Work;
  batch: number;
}

const works = new Map<number, Opened>();

process.on('message', (order: Order) => {
  const reply = (report: Report): void => void process.send?.({ work: order.work, report } satisfies Reply);
  obey(order).then(reply, (error: Error) => reply({ problem: error?.stack ?? String(error) }));
});
process.on('disconnect', () => process.exit());

async function obey(order: Order): Promise<Report> {
  if ('open' in order) {
    works.set(order.work, { work: await make(order.open.file, order.open.parameter), batch: 1 });
    return { answer: null };
  }
  const opened = works.get(order.work);
  if (!opened) throw new Error('this work was not opened');
  if ('slice' in order) return slice(opened, order.slice);
  if (order.does === 'answer') return { answer: await opened.work.answer() };
  works.delete(order.work);
  await opened.work.close?.();
  return { answer: null };
}

async function make(file: string, parameter: unknown): Promise<Work> {
  const { workshop } = (await import(file)) as { workshop: Workshop };
  // An earlier build runs the same task; `peers/family.ts` takes it from `BENCH_BEFORE`.
  const own = workshop[contender === 'before' ? 'latchkey' : (contender as Exclude<Contender, 'before'>)];
  if (!own) throw new Error(`${contender} does not do this`);
  return own(parameter as never);
}

/** Repeats the work for a number of milliseconds of processor time; of the wall clock if it waits for a server. */
async function slice(opened: Opened, milliseconds: number): Promise<Slice> {
  const { times = 1, waits = false } = opened.work;
  const cpu = process.cpuUsage();
  const start = performance.now();
  let runs = 0;
  for (;;) {
    runs += await batch(opened);
    const wall = (performance.now() - start) * 1000;
    const { user, system } = process.cpuUsage(cpu);
    const worked = user + system;
    if ((waits ? wall : worked) < milliseconds * 1000) continue;
    // The clocks are read about ten times a slice.
    opened.batch = Math.max(1, Math.round(runs / 10));
    return { runs: runs * times, wall, cpu: worked };
  }
}

async function batch({ work, batch }: Opened): Promise<number> {
  const { inFlight = 1 } = work;
  if (inFlight === 1) {
    for (let n = 0; n < batch; n++) await work.run();
    return batch;
  }
  const times = Math.ceil(batch / inFlight);
  for (let n = 0; n < times; n++) await Promise.all(Array.from({ length: inFlight }, () => work.run()));
  return times * inFlight;
}
