import { describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../src/context.ts';
import { toResponse, toWireReply } from '../../src/wire/reply.ts';

const json = { 'content-type': 'application/json' };
const cookie = { name: 'a', value: '1|2', options: { path: '/', httpOnly: true } };
const nosniff = { 'x-content-type-options': 'nosniff' };
const privately = { ...nosniff, 'cache-control': 'private, no-store' };

const rows: [string, Reply, ReturnType<typeof toWireReply>][] = [
  ['nothing', {}, { status: 200, headers: privately, cookies: [], body: undefined }],
  ['a status', { status: 204 }, { status: 204, headers: privately, cookies: [], body: undefined }],
  [
    'JSON',
    { headers: json, body: { a: [1, null] } },
    { status: 200, headers: { ...json, ...privately }, cookies: [], body: '{"a":[1,null]}' },
  ],
  [
    'JSON for caches',
    { headers: { ...json, 'cache-control': 'public, max-age=60' }, body: { a: 1 }, bare: true },
    {
      status: 200,
      headers: { ...json, ...nosniff, 'cache-control': 'public, max-age=60' },
      cookies: [],
      body: '{"a":1}',
    },
  ],
  [
    'JSON null',
    { headers: json, body: null },
    { status: 200, headers: { ...json, ...privately }, cookies: [], body: 'null' },
  ],
  [
    'a JSON string',
    { headers: json, body: 'a' },
    { status: 200, headers: { ...json, ...privately }, cookies: [], body: '"a"' },
  ],
  [
    'an object without content type',
    { status: 400, body: { a: 1 } },
    { status: 400, headers: { ...json, ...privately }, cookies: [], body: '{"a":1}' },
  ],
  [
    'a text without content type',
    { body: 'ä' },
    { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8', ...privately }, cookies: [], body: 'ä' },
  ],
  [
    'a page',
    { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>' },
    { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...privately }, cookies: [], body: '<p>' },
  ],
  [
    'a redirect',
    { redirect: 'https://app.example/x?y=%20' },
    { status: 302, headers: { location: 'https://app.example/x?y=%20', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect of an action without a context',
    { redirect: 'https://app.example/x?y=%20', bare: true },
    { status: 302, headers: { location: 'https://app.example/x?y=%20', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect to a page of the application',
    { redirect: '/welcome' },
    { status: 302, headers: { location: '/welcome', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect with status 303',
    { status: 303, redirect: '/' },
    { status: 303, headers: { location: '/', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect to an address that is not valid in a header',
    { redirect: '/ä b\r\nset-cookie: x=y' },
    {
      status: 302,
      headers: { location: '/%C3%A4%20b%0D%0Aset-cookie:%20x=y', ...privately },
      cookies: [],
      body: undefined,
    },
  ],
  [
    'cookies',
    { headers: json, body: {}, cookies: [cookie, { ...cookie, name: 'b', value: '' }] },
    {
      status: 200,
      headers: { ...json, ...privately },
      cookies: ['a=1%7C2; Path=/; HttpOnly', 'b=; Path=/; HttpOnly'],
      body: '{}',
    },
  ],
  [
    'cookies and the `cache-control` of the action',
    { headers: { 'cache-control': 'private, no-cache, no-store' }, cookies: [cookie] },
    {
      status: 200,
      headers: { ...nosniff, 'cache-control': 'private, no-cache, no-store' },
      cookies: ['a=1%7C2; Path=/; HttpOnly'],
      body: undefined,
    },
  ],
  ['no cookies', { cookies: [], bare: true }, { status: 200, headers: privately, cookies: [], body: undefined }],
];

describe('a reply', () => {
  it.each(rows)('with %s becomes header lines', (_, reply, wire) => {
    expect(toWireReply(reply)).toEqual(wire);
  });

  it.each(rows)('with %s becomes an equal Response', async (_, reply, wire) => {
    const response = toResponse(reply);
    expect(response.status).toBe(wire.status);
    expect(response.headers.getSetCookie()).toEqual(wire.cookies);
    const others = [...response.headers].filter(([name]) => name !== 'set-cookie');
    expect(others).toEqual(Object.entries(wire.headers).toSorted());
    expect(await response.text()).toBe(wire.body ?? '');
  });

  it('has headers and cookies that the host can change', () => {
    const reply: Reply = { headers: { 'cache-control': 'no-store' }, cookies: [cookie] };
    const wire = toWireReply(reply);
    wire.headers['set-cookie'] = 'a=1';
    wire.cookies.push('b=2');
    expect(toWireReply(reply)).toMatchObject({
      headers: { 'cache-control': 'no-store' },
      cookies: ['a=1%7C2; Path=/; HttpOnly'],
    });
    expect(toWireReply(reply).headers).not.toHaveProperty('set-cookie');
  });

  it('keeps its headers where a server has replaced `Response`, and code copies it', async () => {
    vi.stubGlobal('Response', lazyResponse(Response));
    const response = toResponse({ headers: json, body: { a: 1 }, cookies: [cookie] });
    // As middleware of Hono does, to change the headers of an answer.
    const copy = new Response(response.body, response);
    vi.unstubAllGlobals();
    expect(Object.fromEntries(copy.headers)).toEqual({
      ...json,
      ...privately,
      'set-cookie': 'a=1%7C2; Path=/; HttpOnly',
    });
    expect(await copy.json()).toEqual({ a: 1 });
  });

  it('throws for a cookie that is not valid in a header', () => {
    expect(() => toResponse({ cookies: [{ ...cookie, name: 'a b' }] })).toThrow(TypeError);
  });
});

/**
 * A class that makes a `Response` only when its body is read, as `@hono/node-server` puts it in the place of the global
 * one. Until then it has headers of its own, which it forgets.
 */
function lazyResponse(Real: typeof Response): typeof Response {
  class Lazy {
    readonly #body: BodyInit | null;
    readonly #init: ResponseInit;
    #headers: Headers | undefined;
    #real: Response | undefined;

    constructor(body: BodyInit | null = null, init: ResponseInit | Lazy = {}) {
      this.#body = body;
      this.#init = init instanceof Lazy ? (init.#real ?? init.#init) : init;
    }

    get #made(): Response {
      this.#real ??= new Real(this.#body, this.#init);
      return this.#real;
    }

    get headers(): Headers {
      if (this.#real) return this.#real.headers;
      const { headers } = this.#init;
      this.#headers ??= headers instanceof Headers ? headers : new Headers(headers);
      return this.#headers;
    }

    get body(): ReadableStream | null {
      return this.#made.body;
    }

    json(): Promise<unknown> {
      return this.#made.json();
    }
  }
  return Lazy as unknown as typeof Response;
}
