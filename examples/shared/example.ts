import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { storeDemoUser } from './demo-user.ts';
import { onEnd } from './end.ts';
import { dataFolder } from './kept.ts';
import { Problem, publicOrigin, readPort, refuseTaken } from './port.ts';
import { startServer } from './program.ts';
import { startServices } from './services.ts';
import { welcome } from './welcome.ts';

/** An example that runs in a process of its own. */
export interface Example {
  /** Name of the framework, as the pages show it. */
  readonly framework: string;
  /** The folder of the example. */
  readonly folder: string;
  /** Builds the application for production. Default: there is nothing to build. */
  readonly build?: () => Promise<void>;
  /** The program of the server, and its arguments. Its working directory is `folder`. */
  readonly program: (port: number) => readonly [program: string, ...args: string[]];
  /** Further environment variables. The program receives `PORT`, too. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts an OpenID provider, a mail server and an inbox, then the application. Ends the process if that fails.
 *
 * ```ts
 * await runExample({ framework: 'Hono', folder: import.meta.dirname, program: () => ['server.ts'] });
 * ```
 */
export async function runExample(example: Example): Promise<void> {
  try {
    await start(example);
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    process.exit(1);
  }
}

async function start({ framework, folder, build, program, env }: Example): Promise<void> {
  const port = readPort(process.env['PORT']);
  const origin = publicOrigin(port);
  await refuseTaken(port);
  await build?.();

  const services = await startServices({
    port,
    origin,
    callbackPath: '/auth/callback/demo',
    folder: dataFolder(folder),
    site: { name: `${framework} example`, home: `${origin}/`, signIn: `${origin}/auth/signin` },
  });
  const database = new DatabaseSync(services.env.DATABASE_FILE);
  await storeDemoUser(SqlAdapter(database));
  database.close();

  const [file, ...args] = program(port);
  const options = { cwd: folder, env: { AUTH_TRUST_HOST: 'true', PORT: String(port), ...services.env, ...env } };
  const server = await startServer(file, args, options, `http://localhost:${port}/auth/signin`);
  onEnd(async () => void server.kill());
  console.log(welcome({ origin, inbox: services.inbox, users: services.users, store: 'SQLite' }));
}
