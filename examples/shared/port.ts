import { createServer, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';

/** Something that a person has to put right; the message says what and how. */
export class Problem extends Error {}

/** The port that `PORT` names. Default: 3000. */
export function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 3000;
  if (Number.isInteger(port) && port > 0 && port < 65_536 && /^\d+$/.test(text || '3000')) return port;
  throw new Problem(
    `PORT is ${JSON.stringify(text)}: give it a number from 1 to 65535, for example PORT=3100 npm start`,
  );
}

/** What visitors type: that of `PUBLIC_ORIGIN` where a reverse proxy stands before, else the port on this machine. */
export function publicOrigin(port: number): string {
  return process.env['PUBLIC_ORIGIN'] || `http://localhost:${port}`;
}

/**
 * Looks before something that would tell it less clearly.
 *
 * @throws {Problem} when somebody listens there.
 */
export async function refuseTaken(port: number): Promise<void> {
  if (await isTaken(port)) throw inUse(port);
}

const inUse = (port: number): Problem =>
  new Problem(
    `Port ${port} is in use: stop what uses it, or choose another, for example PORT=${port === 3100 ? 3200 : 3100} npm start`,
  );

/** Listens on this machine only. */
export async function listen(listener: RequestListener, port: number): Promise<Server> {
  await refuseTaken(port);
  const server = createServer(listener);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(inUse(port));
      else
        reject(error.code === 'EACCES' ? new Problem(`Port ${port} is not open to you: choose one above 1023`) : error);
    });
    server.listen(port, 'localhost', () => resolve(server));
  });
}

/** The first free port from `start` on, or 0 for any. */
export async function freePort(start: number): Promise<number> {
  for (let port = start; port < Math.min(start + 20, 65_536); port++) if (!(await isTaken(port))) return port;
  return 0;
}

/** Starts on that port, or on any when somebody else was faster. */
export async function orAnywhere<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}

/** Does anything answer there, by IPv4 or IPv6? Listening on one of the two would not show the other, but browsers try both. */
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
