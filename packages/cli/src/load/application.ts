import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../terminal.ts';
import type { ApplicationEnv } from './env-files.ts';
import type { Project } from './project.ts';
import type { Answer, Checked, Explained, Loaded, Planned, Question, SentRequest } from './protocol.ts';

/** Milliseconds that the application may take for an answer. */
const PATIENCE = 60_000;
/** Milliseconds for a migration: an index of a large table takes long. */
const HOUR = 3_600_000;

/** The application, in a process of its own. */
export class Application {
  readonly #child: ChildProcess;
  readonly loaded: Loaded;

  private constructor(child: ChildProcess, loaded: Loaded) {
    this.#child = child;
    this.loaded = loaded;
  }

  /**
   * Imports the file with the configuration in a process of its own. Its output is discarded, because an application
   * may print secrets.
   *
   * @throws {Failure} if the file cannot be imported, or if it has no configuration.
   */
  static async load({ root, framework }: Project, env: ApplicationEnv, file: string): Promise<Application> {
    const child = fork(WORKER, {
      cwd: root,
      env: env.values as NodeJS.ProcessEnv,
      // Modules such as `server-only` have another file for server components.
      execArgv: framework === 'next' ? ['--conditions=react-server'] : [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
    });
    try {
      return new Application(child, (await ask(child, { do: 'load', file, root, framework })) as Loaded);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** Runs the checks that need the configuration. */
  async check(options: { readonly offline: boolean; readonly probe: boolean }): Promise<Checked> {
    return (await ask(this.#child, { do: 'check', ...options })) as Checked;
  }

  /** Lists what the store lacks. */
  async plan(): Promise<Planned> {
    return (await ask(this.#child, { do: 'plan' })) as Planned;
  }

  /** Adds what the store lacks. Returns the additions in words. */
  async apply(): Promise<readonly string[]> {
    return (await ask(this.#child, { do: 'apply' }, HOUR)) as readonly string[];
  }

  /** Explains a request. It calls no callback, and changes nothing. */
  async explain(request: SentRequest): Promise<Explained> {
    return (await ask(this.#child, { do: 'explain', request })) as Explained;
  }

  /** Ends the process. */
  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** In the tests, the sources run as they are. */
const WORKER = fileURLToPath(new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url));

function ask(child: ChildProcess, question: Question, patience = PATIENCE): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => done(() => reject(new Failure(`the application did not answer in ${patience / 1000} s`))),
      patience,
    );
    const onMessage = (answer: Answer): void =>
      done(() => (answer.ok ? resolve(answer.value) : reject(new Failure(answer.message))));
    const onExit = (code: number | null): void =>
      done(() =>
        reject(
          new Failure(`the application ended while it was loaded (exit code ${code}). Import it yourself to see why`),
        ),
      );
    function done(settle: () => void): void {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      settle();
    }
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(question);
  });
}
