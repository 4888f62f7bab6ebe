import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Order, Reply, Report } from './contender.ts';
import type { Contender, Slice } from './work.ts';

/** A work that a contender has prepared. */
export interface Racer {
  readonly name: Contender;
  /** Whether this is the first work of the process. */
  readonly isFirst: boolean;
  answer(): Promise<unknown>;
  slice(milliseconds: number): Promise<Slice>;
  close(): Promise<void>;
}

/** A work and its contender. */
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

  /** Prepares a task in a contender's process, which is started if necessary. */
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

/** Megabytes for young objects, the same in all processes. By default, they depend on the lines before. */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/**
 * Freed memory stays with the process (glibc). Otherwise the memory of large answers is sometimes returned to the
 * system, which takes a third of the time for pages of 50 kB.
 */
const KEPT = { MALLOC_TRIM_THRESHOLD_: '1073741824', MALLOC_TOP_PAD_: '67108864' };

/** Returns the environment of a process: as in production, without the shell's variables about Latchkey. */
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
