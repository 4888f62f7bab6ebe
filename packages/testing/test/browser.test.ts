import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Browser, type BrowserOptions } from '../src/browser.ts';

/** Responds with the request; `/to?…` redirects with `status` to `url`. */
async function echo(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const target = url.searchParams.get('url');
  if (url.pathname === '/to' && target)
    return new Response(null, { status: Number(url.searchParams.get('status') ?? 302), headers: { location: target } });
  return Response.json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });
}

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const browserAt = (options: BrowserOptions = {}): Browser =>
  new Browser(echo, { origin: 'https://app.test', ...options });

describe('requests of a browser', () => {
  it('opens addresses as the address bar does', async () => {
    const page = await browserAt().get('/a?b=c#d', { headers: { 'x-test': '1' } });
    expect(page.json<Echo>()).toMatchObject({ method: 'GET', url: 'https://app.test/a?b=c' });
    expect(page.json<Echo>().headers).toEqual({
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'x-test': '1',
    });
  });

  it('posts forms and JSON of the same origin', async () => {
    const form = (await browserAt().post('/a', { name: 'Ada & co', left: undefined })).json<Echo>();
    expect(form).toMatchObject({ method: 'POST', body: 'name=Ada+%26+co' });
    expect(form.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://app.test',
      'sec-fetch-site': 'same-origin',
    });
    const json = (await browserAt().post('/a', { deep: [1] }, { json: true })).json<Echo>();
    expect(json.body).toBe('{"deep":[1]}');
    expect(json.headers).toMatchObject({
      'content-type': 'application/json',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    });
    const empty = (await browserAt().post('/a')).json<Echo>();
    expect(empty.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const multipart = new FormData();
    multipart.set('a', 'b');
    expect((await browserAt().post('/a', multipart)).json<Echo>().headers['content-type']).toMatch(
      /^multipart\/form-data; boundary=/,
    );
  });

  it('sends the origin and the site of a request', async () => {
    const headers = async (...[path, options]: Parameters<Browser['open']>): Promise<(string | undefined)[]> => {
      const sent = (await browserAt().open(path, { method: 'POST', ...options })).json<Echo>().headers;
      return [sent.origin, sent['sec-fetch-site']];
    };
    expect(await headers('/', { site: 'cross-site' })).toEqual(['https://elsewhere.example', 'cross-site']);
    expect(await headers('/', { site: 'same-site' })).toEqual(['https://sibling.app.test', 'same-site']);
    expect(await headers('/', { site: 'none' })).toEqual([undefined, 'none']);
    expect(await headers('/', { initiator: 'null' })).toEqual(['null', 'cross-site']);
    expect(await headers('/', { initiator: 'http://app.test' })).toEqual(['http://app.test', 'cross-site']);
    expect(await headers('http://localhost:3000/', { site: 'same-site' })).toEqual(['http://localhost:1', 'same-site']);
    expect(await headers('/', { headers: { origin: 'https://forged.test', 'sec-fetch-site': '' } })).toEqual([
      'https://forged.test',
      undefined,
    ]);
  });

  it('can imitate a plain client', async () => {
    const page = await browserAt({ sendMetadata: false }).post('/', {}, { site: 'cross-site' });
    expect(Object.keys(page.json<Echo>().headers)).toEqual(['content-type']);
  });
});

describe('responses to a browser', () => {
  it('reads responses', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1; Path=/x; HttpOnly'],
      ['set-cookie', 'a=2; Max-Age=0'],
      ['location', '/not-followed'],
    ]);
    const browser = new Browser(() => new Response('text', { status: 201, headers }), { origin: 'https://app.test' });
    const page = await browser.get('/x');
    expect([page.status, page.text(), page.location, page.redirect, page.url]).toEqual([
      201,
      'text',
      '/not-followed',
      undefined,
      'https://app.test/x',
    ]);
    expect(page.setCookies.map(({ value, path, httpOnly, maxAge }) => [value, path, httpOnly, maxAge])).toEqual([
      ['1', '/x', true, undefined],
      ['2', undefined, false, 0],
    ]);
    expect(page.cookie('a')?.value).toBe('2');
    expect(page.cookie('b')).toBeUndefined();
    expect(() => page.json()).toThrow(SyntaxError);
    expect(browser.history).toEqual([page]);
  });

  it('calls servers that listen on a port', async () => {
    const server = createServer((request, response) =>
      response.setHeader('set-cookie', 'a=1').end(JSON.stringify(request.headers)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const browser = new Browser(fetch, {
      origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    });
    await browser.get('/');
    const page = await browser.post('/', {});
    expect(page.json()).toMatchObject({ cookie: 'a=1', origin: browser.origin, 'sec-fetch-site': 'same-origin' });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('redirects of a browser', () => {
  it('are followed one by one, or to the end', async () => {
    const browser = browserAt();
    const start = await browser.get(`/to?url=${encodeURIComponent('/to?url=/end')}`);
    expect((await browser.follow(start)).location).toBe('/end');
    expect((await browser.follow(start, { until: 'page' })).url).toBe('https://app.test/end');
    expect((await browser.follow(start, { until: ({ url }) => new URL(url).pathname === '/end' })).status).toBe(200);
    await expect(browser.follow(await browser.get('/'))).rejects.toThrow('the page is not a redirect');
  });

  it('end with an error in a loop', async () => {
    const browser = new Browser(() => new Response(null, { status: 302, headers: { location: '/' } }), {
      origin: 'https://app.test',
    });
    await expect(browser.follow(await browser.get('/'), { until: 'page' })).rejects.toThrow('more than 20 redirects');
  });

  it('stop before another origin', async () => {
    const browser = browserAt({ routes: { 'https://idp.test': echo } });
    const leaving = await browser.get('/to?url=https://idp.test/login');
    expect(await browser.follow(leaving, { until: 'other-origin' })).toBe(leaving);
    expect((await browser.follow(leaving)).url).toBe('https://idp.test/login');
    await expect(browser.get('https://unknown.test/')).rejects.toThrow(
      'https://unknown.test is not a route of the browser',
    );
  });

  it.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'a=b'],
    [308, 'POST', 'a=b'],
  ])('after a POST and %i sends %s', async (status, method, body) => {
    const browser = browserAt();
    const page = await browser.follow(await browser.post(`/to?status=${status}&url=/end`, { a: 'b' }));
    expect(page.json()).toMatchObject({ method, body });
    expect(page.json<Echo>().headers['content-type']).toBe(body ? 'application/x-www-form-urlencoded' : undefined);
  });

  it('keep their initiator and their site', async () => {
    const browser = browserAt({ routes: { 'https://idp.test': echo } });
    const away = await browser.follow(
      await browser.post('/to?url='.concat(encodeURIComponent('https://idp.test/to?url=https://app.test/back')), {}),
    );
    expect(away.request.headers.get('sec-fetch-site')).toBe('cross-site');
    browser.cookies.set('strict', '1', { sameSite: 'Strict' });
    const back = (await browser.follow(away)).json<Echo>();
    expect(back.headers).toMatchObject({ 'sec-fetch-site': 'cross-site', cookie: 'strict=1' });
  });
});
