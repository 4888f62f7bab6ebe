import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Order, Reply, Report } from './contender.ts';
import type { Contender, Slice } from './work.ts';

/** A work that a contender has got ready. */
export interface Racer {
  readonly name: Contender;
  /** The contender's process has done nothing before. */
  readonly isFirst: boolean;
  answer(): Promise<unknown>;
  slice(milliseconds: number): Promise<Slice>;
  close(): Promise<void>;
}

/** Which work, by whom. */
export interface Entry {
  /** Name of a file in `bench/tasks`. */
  readonly work: string;
  readonly parameter: unknown;
  readonly contender: Contender;
  /** The process has no `node:crypto`. */
  readonly portable: boolean;
}

const contenderFile = fileURLToPath(new URL('contender.ts', import.meta.url));

/** The processes of all contenders, one each. */
export class Field {
  readonly #processes = new Map<string, ChildProcess>();
  #works = 0;

  /** Lets a contender get a work ready; its process is started where there is none. */
  async enter({ work, parameter, contender, portable }: Entry): Promise<Racer> {
    const name = `${contender} ${portable}`;
    const known = this.#processes.get(name);
    const child = known ?? start(contender, portable);
    this.#processes.set(name, child);
    const number = ++this.#works;
    const file = new URL(`../tasks/${work}.ts`, import.meta.url).href;
    await ask(child, { work: number, open: { file, parameter: parameter ?? null } });
    return {
      name: contender,
      isFirst: known === undefined,
      answer: async () => ((await ask(child, { work: number, does: 'answer' })) as { answer: unknown }).answer,
      slice: async (milliseconds) => (await ask(child, { work: number, slice: milliseconds })) as Slice,
      close: async () => void (await ask(child, { work: number, does: 'close' })),
    };
  }

  /** Ends all processes. */
  end(): void {
    for (const child of this.#processes.values()) if (child.connected) child.disconnect();
    this.#processes.clear();
  }
}

function start(contender: Contender, portable: boolean): ChildProcess {
  const args = [contender, portable ? 'portable' : ''];
  const env = { ...environment(contender), ...KEPT };
  return fork(contenderFile, args, { execArgv: HEAP, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
}

/** Young objects have the same room for everybody and on all lines (MB): left alone, it grows by what the lines before have done. */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/**
 * What was freed is kept (glibc). Else the memory of large answers is given back to the system and asked for again, or not, as chance
 * has it; with pages of 50 kB that is a third of the time.
 */
const KEPT = { MALLOC_TRIM_THRESHOLD_: '1073741824', MALLOC_TOP_PAD_: '67108864' };

/** As in production; what a developer's shell says of our library does not reach the contenders. */
function environment(contender: Contender): NodeJS.ProcessEnv {
  const { BENCH_BEFORE, ...others } = process.env;
  const rest = Object.entries(others).filter(([name]) => !/^(AUTH|NEXTAUTH|NODE)_/.test(name));
  return { ...Object.fromEntries(rest), NODE_ENV: 'production', ...(contender === 'before' && { BENCH_BEFORE }) };
}

function ask(child: ChildProcess, order: Order): Promise<Report> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`a contender ended (${code})`));
    const answered = ({ work, report }: Reply): void => {
      if (work !== order.work) return;
      child.off('exit', gone);
      child.off('message', answered);
      if ('problem' in report) reject(new Error(report.problem));
      else resolve(report);
    };
    child.once('exit', gone);
    child.on('message', answered);
    child.send(order);
  });
}
