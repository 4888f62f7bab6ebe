import { connect } from 'node:net';
import { ExpressAuth } from '@latchkey/express';
import type { RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve } from './site.ts';

describe.each(frameworks)('a body on %s', (_name, express) => {
  const parsers: [name: string, before: RequestHandler[]][] = [
    ['no parser', []],
    ['express.json()', [express.json()]],
    ['express.urlencoded()', [express.urlencoded({ extended: false })]],
    ['both', [express.json(), express.urlencoded({ extended: true })]],
    ['express.raw()', [express.raw({ type: () => true })]],
    ['express.text()', [express.text({ type: () => true })]],
  ];

  const types: [type: string, encode: (fields: Record<string, string>) => string][] = [
    ['application/json', (fields) => JSON.stringify(fields)],
    ['application/x-www-form-urlencoded', (fields) => new URLSearchParams(fields).toString()],
    ['application/json; charset=utf-8', (fields) => JSON.stringify(fields)],
  ];

  const cases = parsers.flatMap(([name, before]) => types.map(([type, encode]) => ({ name, before, type, encode })));

  it.each(cases)('of $type is read when $name has parsed it', async ({ before, type, encode }) => {
    const { browser } = await serve(express().use(...middleware(before), ExpressAuth(configuration(), env)));
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = encode({ csrfToken, name: 'Ada Lövelace', password: 'password' });
    await browser.open('/auth/callback/credentials', { body, headers: { 'content-type': type } });
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Ada Lövelace' } });
  });

  it.each(parsers)('counts the last of equal names when %s has parsed it', async (_parser, before) => {
    const { browser } = await serve(express().use(...middleware(before), ExpressAuth(configuration(), env)));
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = new URLSearchParams({ csrfToken: 'wrong', name: 'Bob', password: 'password' });
    for (const [name, value] of Object.entries({ name: 'Ada', csrfToken })) body.append(name, value);
    await browser.post('/auth/callback/credentials', body);
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it.each(parsers)('may be missing when %s has parsed it', async (_parser, before) => {
    const { browser } = await serve(express().use(...middleware(before), ExpressAuth(configuration(), env)));
    const page = await browser.open('/auth/signout', { method: 'POST' });
    expect([page.status, page.location]).toEqual([302, `${browser.origin}/auth/signin?error=MissingCSRF`]);
  });

  it('with another listener is read by both', async () => {
    const seen: string[] = [];
    const listen: RequestHandler = (request, _response, next) => {
      request.on('data', (chunk: Buffer) => void seen.push(chunk.toString()));
      next();
    };
    const { browser } = await serve(express().use(listen, ExpressAuth(configuration(), env)));
    for (const name of ['Ada', 'Grace']) {
      const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      await browser.post('/auth/callback/credentials', { csrfToken, name, password: 'password' });
      expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { name } });
    }
    expect(seen.join('\n')).toMatch(/name=Ada[\s\S]*name=Grace/);
  });

  it('that was read and discarded before has no fields', async () => {
    const drain: RequestHandler = (request, _response, next) => void request.resume().once('end', next);
    const { browser } = await serve(express().use(drain, ExpressAuth(configuration(), env)));
    const page = await browser.post('/auth/signout', { csrfToken: 'lost' });
    expect(page.location).toBe(`${browser.origin}/auth/signin?error=MissingCSRF`);
  });

  it('of another type has no fields', async () => {
    const { browser } = await serve(express().use(ExpressAuth(configuration(), env)));
    const form = new FormData();
    form.set('csrfToken', 'x');
    const page = await browser.post('/auth/signout', form);
    expect(page.location).toBe(`${browser.origin}/auth/signin?error=MissingCSRF`);
  });

  it.each([[300 * 1024], [3 * 1024 * 1024]])(
    'of %i bytes is answered with 413, and the site continues to work',
    async (length) => {
      const { browser } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
      const page = await browser.post('/auth/signout', { csrfToken: 'x'.repeat(length) });
      expect([page.status, page.text()]).toEqual([413, '"Bad request."']);
      expect((await browser.get('/auth/session')).status).toBe(200);
    },
  );

  it('without an end is cut off', async () => {
    const { port, browser } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('POST /auth/signout HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const send = (): void => void (socket.destroyed || socket.write(chunk, () => setImmediate(send)));
    send();
    const answer = await new Promise<string>((resolve) => {
      const parts: Buffer[] = [];
      socket.on('data', (part) => parts.push(part)).once('close', () => resolve(Buffer.concat(parts).toString()));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  it('that is not JSON is answered with 400', async () => {
    const { browser } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    const headers = { 'content-type': 'application/json' };
    const page = await browser.open('/auth/signout', { body: '{"csrfToken":', headers });
    expect([page.status, page.text()]).toEqual([400, '"Bad request."']);
  });
});

/** `use()` takes no empty list. */
function middleware(before: RequestHandler[]): RequestHandler[] {
  return [(_request, _response, next) => next(), ...before];
}
