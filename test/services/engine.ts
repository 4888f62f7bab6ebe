export type Kind = 'postgres' | 'mariadb' | 'redis';

/** An empty database or key prefix, for one test or one file of tests. */
export interface Fresh {
  /** The address that a driver connects to. */
  readonly url: string;
  /**
   * Removes it with its data, and ends its open connections. In a test run, a database of MariaDB stays until the run
   * is over (see `whole-run.ts`). A second call does nothing.
   */
  drop(): Promise<void>;
}

/** A running server. */
export interface Server<F extends Fresh = Fresh> {
  /** Its URL, with an administrator as the user. */
  readonly url: string;
  /** Makes a new empty database (PostgreSQL, MariaDB) or an unused key prefix (Redis). */
  fresh(): Promise<F>;
}

/** A server that a test has started, on a free port of the loopback address. It ends with the test run, or before. */
export interface OwnServer<F extends Fresh = Fresh> extends Server<F> {
  /** Sends SIGKILL. Resolves when each process of the server has ended. Does nothing if the server does not run. */
  kill(): Promise<void>;
  /**
   * Starts it again, on the same port and with the same data. Resolves when it answers.
   *
   * @throws {Error} if it runs or was stopped, or, with the end of its log, if it does not start.
   */
  start(): Promise<void>;
  /** Ends it and removes its data. A second call does nothing. */
  stop(): Promise<void>;
}

/** The settings of a server that a test starts. */
export interface StartOptions {
  /**
   * Settings of the server under its own names, such as `{ max_connections: '20' }`. They override the defaults of the
   * tests, and also apply after a restart.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RedisOptions extends StartOptions {
  /** Whether each change is written to disk before the answer. Default: `false`, nothing is written. */
  readonly persistent?: boolean;
}

/** A program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The user who runs it. Default: the user who runs the tests. */
  readonly account?: Account | undefined;
}

/** A user of this machine. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The commands that start a server on this machine. */
export interface Recipe<O extends StartOptions> {
  /** The owner of the data folder. Default: the user who runs the tests. */
  readonly account?: Account | undefined;
  /** Fills an empty data folder. Absent for Redis, which does not need it. */
  readonly prepare?: (data: string) => Command;
  readonly serve: (data: string, port: number, options: O) => Command;
}

/** One kind of server. */
export interface Engine<F extends Fresh, O extends StartOptions> {
  readonly kind: Kind;
  /** Its name in messages. */
  readonly title: string;
  /** The environment variable that names a server of this kind. */
  readonly variable: string;
  /** Returns the URL of a server at a port. */
  readonly url: (port: number) => string;
  readonly standardPort: number;
  /** The Debian package that holds the programs. */
  readonly debian: string;
  /** The signal after which nothing of the server remains outside its folder. */
  readonly endSignal: NodeJS.Signals;
  /** Removes what a killed server left outside its folder. */
  readonly tidy?: (data: string) => Promise<void>;
  /** Returns `undefined` if the programs are not installed. */
  readonly recipe: () => Recipe<O> | undefined;
  /** Rejects if the server does not answer or refuses the tests. */
  readonly ping: (url: string) => Promise<void>;
  readonly fresh: (url: string) => Promise<F>;
  /** Drops the databases or keys for whose names `isOver` returns true, one after the other. */
  readonly sweep: (url: string, isOver: (name: string) => boolean) => Promise<void>;
}
