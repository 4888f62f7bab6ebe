import { Readable } from 'node:stream';
import { Auth, handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import type { CallOptions } from '../../src/context.ts';
import { readNodeRequest } from '../../src/entry/request.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { toWireReply } from '../../src/wire/reply.ts';

/** A way into the library. */
export interface Door {
  readonly name: string;
  readonly ask: (request: Request, config: AuthConfig, call?: CallOptions) => Promise<Response>;
}

/** For tests of how requests are read and responses are written, and for a journey of each kind. */
export const doors: readonly Door[] = [
  { name: 'Auth(request)', ask: (request, config, call) => Auth(request, config, call) },
  { name: 'handle(incoming)', ask: askAsNodeHost },
];

/** For all other tests: behind the doors both are the same code, and `both-entry-points.test.ts` compares them. */
export const oneDoor: readonly Door[] = doors.slice(0, 1);

/** As a Node host does it: no `Request`, no `Response`; the one made here is only for the test's browser. */
async function askAsNodeHost(request: Request, config: AuthConfig, call?: CallOptions): Promise<Response> {
  const incoming = readNodeRequest(await toNode(request), request.url);
  const { status, headers, cookies, body } = toWireReply(await handle(incoming, settingsFor(config), call));
  const lines = [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ['set-cookie', cookie])];
  return new Response(body ?? null, { status, headers: lines });
}

async function toNode(request: Request): Promise<Parameters<typeof readNodeRequest>[0]> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const stream = Readable.from(bytes.length === 0 ? [] : [bytes]);
  return Object.assign(stream, { method: request.method, headers: Object.fromEntries(request.headers) });
}
