import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Auth } from '@latchkey/core';
import type { Adapter } from '@latchkey/core/adapters';
import { AuthError } from '@latchkey/core/errors';
import type { AuthConfig } from '@latchkey/core/types';

/** The address that browsers know, behind which the processes of the site are. */
export const origin = 'http://localhost:3000';

/** Path at which a process answers with its mails and its log. */
export const SEEN = '/seen';

/** The mails and the log of one process of the site. */
export interface Seen {
  readonly mails: readonly { readonly identifier: string; readonly url: string; readonly code: string | undefined }[];
  /** Number of wrong codes that were compared. */
  readonly judged: number;
  /** The `type` of each logged error. */
  readonly errors: readonly string[];
}

/**
 * One process of a site that mails links with codes, at `/database` with database sessions and at `/jwt` with JWT
 * sessions. A request may name its time: `x-later` is the number of seconds from now. The rate limit is off, so that
 * only the store counts attempts.
 */
export async function startSite(adapter: Adapter): Promise<{ port: number; close(): void }> {
  const seen = { mails: [] as Seen['mails'][number][], judged: 0, errors: [] as string[] };
  const configOf = (strategy: 'database' | 'jwt'): AuthConfig => ({
    adapter,
    session: { strategy },
    providers: [
      {
        ...{ id: 'mail', name: 'Mail', type: 'email', code: true },
        sendVerificationRequest: ({ identifier, url, code }) => void seen.mails.push({ identifier, url, code }),
      },
    ],
    rateLimit: false,
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: {
      error(error) {
        seen.errors.push(error instanceof AuthError ? error.type : error.name);
        if (error instanceof AuthError && error.cause?.['left'] !== undefined) seen.judged++;
      },
      warn: () => undefined,
    },
  });
  const configs = { '/database': configOf('database'), '/jwt': configOf('jwt') };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (path === SEEN) return response.end(JSON.stringify(seen));
    const basePath = path.startsWith('/jwt/') ? '/jwt' : '/database';
    const later = Number(request.headers['x-later'] ?? 0) * 1000;
    const call = { basePath, now: () => new Date(Date.now() + later) };
    const { method = 'GET', headers } = request;
    const body = method === 'GET' ? null : await text(request);
    const asked = new Request(origin + path, { method, headers: headers as Record<string, string>, body });
    const answer = await Auth(asked, configs[basePath], call);
    response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
