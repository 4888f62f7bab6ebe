export type Kind = 'postgres' | 'mariadb' | 'redis';

/** An empty place on a server, for one test or one file of tests. */
export interface Fresh {
  /** What a driver connects to. */
  readonly url: string;
  /**
   * Takes it away with all that is in it; in a test run a database of MariaDB stays until the run is over (see `whole-run.ts`).
   * Connections that are still open are cut off. A second call does nothing.
   */
  drop(): Promise<void>;
}

/** A running server. */
export interface Server<F extends Fresh = Fresh> {
  /** Its address, with a user who may do everything. */
  readonly url: string;
  /** Makes a new empty database (PostgreSQL, MariaDB) or a key prefix nobody uses (Redis). */
  fresh(): Promise<F>;
}

/** A server of the test's own, on a free port of the loopback address. It ends with the test run at the latest. */
export interface OwnServer<F extends Fresh = Fresh> extends Server<F> {
  /** SIGKILL. Resolves when every process of the server has ended. Does nothing when none runs. */
  kill(): Promise<void>;
  /**
   * Starts it again, on the same port and the same data; resolves when it answers.
   *
   * @throws {Error} when it runs, when it was stopped, or with the end of its log when it ends at once.
   */
  start(): Promise<void>;
  /** Ends it for good and removes its data. A second call does nothing. */
  stop(): Promise<void>;
}

/** What a test may set for a server of its own. */
export interface StartOptions {
  /**
   * Settings of the server under its own names, such as `{ max_connections: '20' }`. They win over ours; they also hold
   * after a restart.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RedisOptions extends StartOptions {
  /** Writes each change to disk before it is answered. Default: false, nothing is written. */
  readonly persistent?: boolean;
}

/** A program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Who runs it. Default: who runs the tests. */
  readonly account?: Account | undefined;
}

/** A user of this machine. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** How a server is started here. */
export interface Recipe<O extends StartOptions> {
  /** To whom the data folder belongs. Default: who runs the tests. */
  readonly account?: Account | undefined;
  /** Fills an empty data folder. Redis needs none. */
  readonly prepare?: (data: string) => Command;
  readonly serve: (data: string, port: number, options: O) => Command;
}

/** What the tests know of one kind of server. */
export interface Engine<F extends Fresh, O extends StartOptions> {
  readonly kind: Kind;
  /** Its name for people. */
  readonly title: string;
  /** The environment variable that names a server of this kind. */
  readonly variable: string;
  /** The address of a server at a port; `standardPort` is where one usually is. */
  readonly url: (port: number) => string;
  readonly standardPort: number;
  /** The Debian package that holds the programs. */
  readonly debian: string;
  /** Ends the server without a trace outside its folder. */
  readonly endSignal: NodeJS.Signals;
  /** Gives back what a killed server left outside its folder. */
  readonly tidy?: (data: string) => Promise<void>;
  /** `undefined` when the programs are not installed. */
  readonly recipe: () => Recipe<O> | undefined;
  /** Rejects when the server does not answer or does not let us in. */
  readonly ping: (url: string) => Promise<void>;
  readonly fresh: (url: string) => Promise<F>;
  /** Drops, one after the other, whatever has a name that says so. */
  readonly sweep: (url: string, isOver: (name: string) => boolean) => Promise<void>;
}
