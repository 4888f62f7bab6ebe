import { Auth, handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { readNodeRequest } from '../../src/entry/read.ts';
import type { AuthConfig } from '../../src/types.ts';
import { toWireReply } from '../../src/wire/reply.ts';
import type { Asked } from './asked.ts';

/** Sends a request through a door; whatever the door throws is thrown. */
export type Send = (asked: Asked, config: AuthConfig) => Promise<Response>;

/** Both ways in, without a browser between: requests may be ones that no browser sends. */
export const sends: Record<string, Send> = {
  'Auth(request)': ({ method, origin, path, headers, body, broken }, config) => {
    const takesBody = !/^(get|head)$/i.test(method);
    const init = { method, headers, ...(takesBody && { body: streamOf(body, broken), duplex: 'half' }) };
    return Auth(new Request(origin + path, init as RequestInit), config);
  },
  'handle(incoming)': async ({ method, origin, path, headers, body, broken, parsed }, config) => {
    const request = { method, headers, body: parsed, [Symbol.asyncIterator]: () => pieces(body, broken) };
    const reply = await handle(readNodeRequest(request, origin + path), settingsFor(config));
    const { status, headers: lines, body: answer } = toWireReply(reply);
    return new Response(answer ?? null, { status, headers: lines });
  },
};

async function* pieces(body: string, broken: boolean): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
  if (broken) throw new Error('the connection was lost');
}

function streamOf(body: string, broken: boolean): ReadableStream<Uint8Array> {
  const source = pieces(body, broken);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
  });
}
