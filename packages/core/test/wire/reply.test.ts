import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src/context.ts';
import { toResponse, toWireReply } from '../../src/wire/reply.ts';

const json = { 'content-type': 'application/json' };
const cookie = { name: 'a', value: '1|2', options: { path: '/', httpOnly: true } };
const privately = { 'cache-control': 'private, no-store' };

const rows: [string, Reply, ReturnType<typeof toWireReply>][] = [
  ['nothing', {}, { status: 200, headers: privately, cookies: [], body: undefined }],
  ['a status', { status: 204 }, { status: 204, headers: privately, cookies: [], body: undefined }],
  [
    'JSON',
    { headers: json, body: { a: [1, null] } },
    { status: 200, headers: { ...json, ...privately }, cookies: [], body: '{"a":[1,null]}' },
  ],
  [
    'JSON for everybody',
    { headers: json, body: { a: 1 }, bare: true },
    { status: 200, headers: json, cookies: [], body: '{"a":1}' },
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
    'an object of no type',
    { status: 400, body: { a: 1 } },
    { status: 400, headers: { ...json, ...privately }, cookies: [], body: '{"a":1}' },
  ],
  [
    'a text of no type',
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
    'a redirect without cookies, which carries what was posted',
    { redirect: 'https://app.example/x?y=%20', bare: true },
    { status: 302, headers: { location: 'https://app.example/x?y=%20', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect to a page of the application',
    { redirect: '/welcome' },
    { status: 302, headers: { location: '/welcome', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect of another kind',
    { status: 303, redirect: '/' },
    { status: 303, headers: { location: '/', ...privately }, cookies: [], body: undefined },
  ],
  [
    'a redirect that no header can hold as it is',
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
    'cookies with caching said by the action',
    { headers: { 'cache-control': 'private, no-cache, no-store' }, cookies: [cookie] },
    {
      status: 200,
      headers: { 'cache-control': 'private, no-cache, no-store' },
      cookies: ['a=1%7C2; Path=/; HttpOnly'],
      body: undefined,
    },
  ],
  [
    'no cookies, for everybody',
    { cookies: [], bare: true },
    { status: 200, headers: {}, cookies: [], body: undefined },
  ],
];

describe('a reply', () => {
  it.each(rows)('with %s becomes header lines', (_, reply, wire) => {
    expect(toWireReply(reply)).toEqual(wire);
  });

  it.each(rows)('with %s becomes the same as a Response', async (_, reply, wire) => {
    const response = toResponse(reply);
    expect(response.status).toBe(wire.status);
    expect(response.headers.getSetCookie()).toEqual(wire.cookies);
    const others = [...response.headers].filter(([name]) => name !== 'set-cookie');
    expect(others).toEqual(Object.entries(wire.headers).toSorted());
    expect(await response.text()).toBe(wire.body ?? '');
  });

  it("has headers and cookies that are the host's, who may add to them", () => {
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

  it('fails for a cookie that cannot stand in a header', () => {
    expect(() => toResponse({ cookies: [{ ...cookie, name: 'a b' }] })).toThrow(TypeError);
  });
});
