import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimitError, readBounded } from '../../src/wire/bounded-body.ts';
import { boundedFetch, globalFetch } from '../../src/wire/bounded-fetch.ts';

/** More time than a busy machine needs. */
const LIMITS = { bytes: 64, time: 20_000 };
const HASTY = { bytes: 64, time: 60 };
const address = 'https://idp.example/token';

/** A bounded `fetch` over a function that answers. */
function over(answer: (init: RequestInit) => Response | Promise<Response>, limits = LIMITS): typeof fetch {
  return boundedFetch(async (_, init) => answer(init ?? {}), limits);
}

/** A body that sends `parts`, one every `pause` milliseconds. Then it ends, fails, or sends nothing more. */
function body(
  parts: Iterable<string>,
  { pause = 0, end = 'close' }: { pause?: number; end?: 'close' | 'never' | 'error' } = {},
) {
  const rest = parts[Symbol.iterator]();
  const state = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const { done, value } = rest.next();
      if (!done) controller.enqueue(new TextEncoder().encode(value));
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new Error('reset'));
      else await new Promise(() => undefined);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

function* endless(part: string): Generator<string> {
  for (;;) yield part;
}

const never = new Promise<never>(() => undefined);

describe('the deadline of a remote call', () => {
  it('aborts the call if no answer comes', async () => {
    let signal: AbortSignal | null | undefined;
    const call = over((init) => {
      signal = init.signal;
      return never;
    }, HASTY);
    await expect(call(address)).rejects.toThrow(LimitError);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('holds for a custom fetch that ignores its signal and fails later, without an unhandled rejection', async () => {
    const call = over(() => new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), 90)), HASTY);
    await expect(call(address)).rejects.toThrow('no complete answer in time');
    await new Promise((resolve) => setTimeout(resolve, 60));
  });

  it('cancels a body that stalls, arrives in small parts, or starts too late', async () => {
    const bodies = [
      body(['{"a":'], { end: 'never' }),
      body(endless('x'), { pause: 10 }),
      body(['x'], { pause: 200 }),
      body([], { end: 'never' }),
    ];
    for (const { stream, state } of bodies) {
      await expect(over(() => new Response(stream), HASTY)(address)).rejects.toThrow(LimitError);
      expect(state.cancelled).toBe(true);
    }
  });

  it('cancels the body of an answer that comes later', async () => {
    const { stream, state } = body(endless('x'));
    const late = new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(stream)), 90));
    await expect(over(() => late, HASTY)(address)).rejects.toThrow('no complete answer in time');
    await late;
    await new Promise((resolve) => setTimeout(resolve));
    expect(state.cancelled).toBe(true);
  });

  it('is the cause of the error', async () => {
    const error = await over(() => never, HASTY)(address).catch((thrown: unknown) => thrown);
    expect((error as Error).cause).toMatchObject({ name: 'TimeoutError' });
  });

  it('counts from the call to the last byte, not from byte to byte', async () => {
    const { stream } = body(
      Array.from({ length: 4 }, () => 'x'),
      { pause: 25 },
    );
    await expect(over(() => new Response(stream), HASTY)(address)).rejects.toThrow(LimitError);
  });
});

describe("the caller's signal", () => {
  it('ends the call', async () => {
    const own = new AbortController();
    const call = over(() => never)(address, { signal: own.signal });
    own.abort(new Error('enough'));
    await expect(call).rejects.toThrow(LimitError);
    expect(((await call.catch((error: unknown) => error)) as Error).cause).toMatchObject({ message: 'enough' });
  });

  it('ends the call while the body is read, and cancels the body', async () => {
    const own = new AbortController();
    const { stream, state } = body(['x'], { end: 'never' });
    const call = over(() => new Response(stream))(address, { signal: own.signal });
    setTimeout(() => own.abort(), 20);
    await expect(call).rejects.toThrow(LimitError);
    expect(state.cancelled).toBe(true);
  });

  it('that is aborted already ends the call at once, without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const call = over(() => Promise.reject(new Error('aborted')));
    await expect(call(address, { signal: AbortSignal.abort() })).rejects.toThrow(LimitError);
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('the size of an answer', () => {
  it.each([0, 1, 63, 64])('of %i bytes is within a limit of 64', async (size) => {
    const answer = await over(() => new Response('x'.repeat(size)))(address);
    expect((await answer.text()).length).toBe(size);
  });

  it.each([65, 66, 100_000])('of %i bytes exceeds it', async (size) => {
    await expect(over(() => new Response('x'.repeat(size)))(address)).rejects.toThrow('more than 64 bytes');
  });

  it('is counted over all parts of the body', async () => {
    const sixteen = Array.from({ length: 4 }, () => 'x'.repeat(16));
    const answer = await over(() => new Response(body(sixteen).stream))(address);
    expect((await answer.text()).length).toBe(64);
    const more = body([...sixteen, 'x'], { end: 'never' });
    await expect(over(() => new Response(more.stream))(address)).rejects.toThrow('more than 64 bytes');
    expect(more.state.cancelled).toBe(true);
  });

  it('is bounded if the answer never ends', async () => {
    const { stream, state } = body(endless('x'.repeat(16)));
    await expect(over(() => new Response(stream), { bytes: 1024, time: 20_000 })(address)).rejects.toThrow(
      'more than 1024 bytes',
    );
    expect(state.cancelled).toBe(true);
  });

  it('is counted in bytes, not in characters', async () => {
    await expect(over(() => new Response('é'.repeat(33)))(address)).rejects.toThrow(LimitError);
  });

  it('exceeds the limit if a part is not bytes', async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue('text');
      },
    });
    await expect(readBounded(stream as ReadableStream<Uint8Array>, 64)).rejects.toThrow(LimitError);
  });
});

describe('the answer', () => {
  it('is passed on with status, headers and body', async () => {
    const given = new Response('{"error":"x"}', {
      status: 418,
      statusText: 'Teapot',
      headers: { 'content-type': 'a/b', etag: '1' },
    });
    const answer = await over(() => given)(address);
    expect([answer.status, answer.statusText, answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([
      418,
      'Teapot',
      'a/b',
      '1',
    ]);
    expect(await answer.json()).toEqual({ error: 'x' });
  });

  it.each([204, 205, 304])('with status %i has no body', async (status) => {
    const answer = await over(() => new Response(null, { status, headers: { etag: '1' } }))(address);
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([status, null, '1']);
  });

  it('must have a usable status', async () => {
    await expect(over(() => Response.error())(address)).rejects.toThrow('unusable HTTP status 0');
  });

  it('has no header that says it is compressed', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': '20', 'content-type': 'text/plain' };
    const answer = await over(() => new Response('plain', { headers }))(address);
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'text/plain' });
  });

  it('is an error if its body breaks off', async () => {
    const { stream } = body(['{"a"'], { end: 'error' });
    await expect(over(() => new Response(stream))(address)).rejects.toThrow('reset');
  });

  it('is the error of the function below if that fails', async () => {
    const call = over(() => Promise.reject(new TypeError('no route')));
    await expect(call(address)).rejects.toThrow(new TypeError('no route'));
    const throwing = boundedFetch(() => {
      throw new TypeError('at once');
    }, LIMITS);
    await expect(throwing(address)).rejects.toThrow('at once');
  });
});

describe('redirects', () => {
  it('are followed only if the caller asks', async () => {
    const asked: (string | undefined)[] = [];
    const call = over((init) => {
      asked.push(init.redirect);
      return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } });
    });
    const answer = await call(address);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://169.254.169.254/']);
    await call(address, { redirect: 'error' });
    expect(asked).toEqual(['manual', 'error']);
  });
});

describe('the bounded function', () => {
  it('is the same for the same `fetch`', () => {
    const base: typeof fetch = async () => new Response();
    expect(boundedFetch(base, LIMITS)).toBe(boundedFetch(base, LIMITS));
    expect(boundedFetch(async () => new Response(), LIMITS)).not.toBe(boundedFetch(base, LIMITS));
  });

  it('passes its arguments on', async () => {
    const calls: unknown[] = [];
    const call = boundedFetch(async (...args) => {
      calls.push(args);
      return new Response();
    }, LIMITS);
    await call(address, { method: 'POST', body: 'a=1', headers: { accept: 'application/json' } });
    expect(calls).toMatchObject([[address, { method: 'POST', body: 'a=1', headers: { accept: 'application/json' } }]]);
  });
});

describe('over the network', () => {
  const routes: Record<string, (response: ServerResponse) => void> = {
    '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
    '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('0'.repeat(100_000))),
    '/garbage': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    '/redirect': (response) => response.writeHead(302, { location: '/gzip' }).end(),
    '/hang': (response) => void response.writeHead(200).write('x'),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': '50' }).write('x');
      setTimeout(() => response.destroy(), 10);
    },
  };
  let server: Server;
  let origin = '';
  const call = boundedFetch((input, init) => fetch(input, init), { bytes: 1024, time: 20_000 });
  const hasty = boundedFetch((input, init) => fetch(input, init), { bytes: 1024, time: 300 });

  beforeAll(async () => {
    server = createServer((request, response) => routes[request.url ?? '']?.(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('a compressed answer is decoded', async () => {
    const answer = await call(`${origin}/gzip`);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.json()).toEqual({ a: 1 });
  });

  it('the limit applies to the decoded size', async () => {
    await expect(call(`${origin}/bomb`)).rejects.toThrow('more than 1024 bytes');
  });

  it('the deadline applies to a body that stops', async () => {
    await expect(hasty(`${origin}/hang`)).rejects.toThrow('no complete answer in time');
  });

  it.each(['/garbage', '/cut'])('%s is an error', async (path) => {
    await expect(call(origin + path)).rejects.toThrow();
  });

  it('redirects are not followed', async () => {
    expect((await call(`${origin}/redirect`)).status).toBe(302);
  });

  it('the global fetch of the moment of the call is used', async () => {
    const before = globalThis.fetch;
    globalThis.fetch = async () => new Response('replaced');
    try {
      expect(await (await globalFetch(origin)).text()).toBe('replaced');
    } finally {
      globalThis.fetch = before;
    }
  });
});
