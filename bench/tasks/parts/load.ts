import { Agent, get } from 'node:http';

/*
 * The clients of an HTTP server, in a process of their own. The process receives `{ url, cookie, requests }`, and sends
 * `true` after all answers. Connections are kept alive.
 */

/** The requests of a run, and their number. */
export interface Load {
  readonly url: string;
  readonly cookie: string;
  readonly requests: number;
}

const CONNECTIONS = 16;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

process.on('disconnect', () => process.exit());
process.on('message', (load: Load) => {
  run(load).then(
    () => process.send?.({ done: true }),
    (error: Error) => process.send?.({ problem: error.message }),
  );
});

async function run(load: Load): Promise<void> {
  const left = { requests: load.requests };
  const visitor = async (): Promise<void> => {
    while (left.requests-- > 0) await ask(load);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor));
}

function ask({ url, cookie }: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
      answer.resume();
      answer.once('end', resolve);
    }).once('error', reject);
  });
}
