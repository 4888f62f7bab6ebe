import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Auth } from '@latchkey/core';
import type { Adapter } from '@latchkey/core/adapters';
import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig, SessionRecords, SessionRecordsOptions } from '@latchkey/core/types';
import pg from 'pg';
import { SqlAdapter } from '../../packages/adapter-sql/src/index.ts';

/**
 * A process of a site with session records. Its arguments are the kind of store and its address. The headers of a
 * request are its instant, `x-now` in milliseconds, and the step after which the process is killed, `x-die`.
 */

const origin = 'http://localhost:3000';

const [kind, url = ''] = process.argv.slice(2);
const inner =
  kind === 'SQLite' ? SqlAdapter(new DatabaseSync(url)) : SqlAdapter(new pg.Pool({ connectionString: url }));
let fatal: string | undefined;

/** Kills this process as soon as a step has been carried out. */
function mortal<T extends object>(steps: T): T {
  return new Proxy(steps, {
    get(target, name) {
      const step: unknown = Reflect.get(target, name);
      if (typeof step !== 'function') return step;
      return async (...args: unknown[]) => {
        const result: unknown = await Reflect.apply(step, target, args);
        if (fatal === name) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

const store: SessionRecords = mortal(inner.sessionRecords);
const adapter: Adapter = mortal(inner);

const login = Credentials({
  async authorize({ email }) {
    const address = String(email);
    const known = await inner.getUserByEmail(address);
    return known ?? inner.createUser({ id: crypto.randomUUID(), email: address, emailVerified: null });
  },
});

function configOf(strategy: 'database' | 'jwt', options?: SessionRecordsOptions): AuthConfig {
  return {
    adapter,
    session: { strategy, records: { store, ...options } },
    providers: [login],
    rateLimit: false,
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => console.error(error), warn: () => undefined },
  };
}

const configs: Readonly<Record<string, AuthConfig>> = {
  '/database': configOf('database'),
  '/jwt': configOf('jwt', { revocationLag: 30 }),
  '/jwt-without-lag': configOf('jwt', { revocationLag: 0 }),
};

const server = createServer(async (request, response) => {
  const { url: path = '/', method = 'GET', headers } = request;
  const basePath = path.slice(0, path.indexOf('/', 1));
  const config = configs[basePath];
  if (!config) return response.writeHead(404).end();
  fatal = headers['x-die']?.toString();
  const body = method === 'GET' ? null : await text(request);
  const asked = new Request(origin + path, { method, headers: headers as Record<string, string>, body });
  const answer = await Auth(asked, config, { basePath, now: () => new Date(Number(headers['x-now'])) });
  response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.on('disconnect', () => process.exit(0));
process.send?.((server.address() as AddressInfo).port);
