import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';

/** A problem that a person has to solve. The message says what is wrong and what to do. */
export class Problem extends Error {}

/** Reads the port from the value of `PORT`. Default: 3000. @throws {Problem} if it is not a port. */
export function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 3000;
  if (Number.isInteger(port) && port > 0 && port < 65_536 && /^\d+$/.test(text || '3000')) return port;
  throw new Problem(
    `PORT is ${JSON.stringify(text)}: give it a number from 1 to 65535, for example PORT=3100 npm start`,
  );
}

/** Returns the origin that visitors use: `PUBLIC_ORIGIN` behind a reverse proxy, else the port on this machine. */
export function publicOrigin(port: number): string {
  return process.env['PUBLIC_ORIGIN'] || `http://localhost:${port}`;
}

/**
 * Checks that a port is free.
 *
 * @throws {Problem} if a process listens there.
 */
export async function refuseTaken(port: number): Promise<void> {
  if (await isTaken(port)) throw inUse(port);
}

const inUse = (port: number): Problem =>
  new Problem(
    `Port ${port} is in use: stop what uses it, or choose another, for example PORT=${port === 3100 ? 3200 : 3100} npm start`,
  );

/** Listens on localhost. @throws {Problem} if the port is in use, or not open to this user. */
export async function listen(listener: RequestListener, port: number): Promise<Server> {
  await refuseTaken(port);
  const server = createServer(listener);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(inUse(port));
      else
        reject(
          error.code === 'EACCES'
            ? new Problem(`Port ${port} needs other permissions: choose a port above 1023`)
            : error,
        );
    });
    server.listen(port, 'localhost', () => resolve(server));
  });
}

/** Returns the first free port from `start` on; 0 (any port) if the next twenty are in use. */
export async function freePort(start: number): Promise<number> {
  for (let port = start; port < Math.min(start + 20, 65_536); port++) if (!(await isTaken(port))) return port;
  return 0;
}

/** Calls `start` with the port, or with 0 (any port) if another process has taken it. */
export async function orAnywhere<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}

/** Tells whether a process listens at the port, by IPv4 or IPv6. Browsers try both. */
async function isTaken(port: number): Promise<boolean> {
  const answers = await Promise.all([isAnswered(port, '127.0.0.1'), isAnswered(port, '::1')]);
  return answers.includes(true);
}

function isAnswered(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
