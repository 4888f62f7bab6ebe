import { Browser } from '@latchkey/testing';
import type { RunningApplication } from '@latchkey/testing/binding-suite';
import { UNSAFE_decodeViaTurboStream as decode, UNSAFE_SingleFetchRedirectSymbol as redirection } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';

const site = { origin: '', stop: (): unknown => undefined };

/** Adds the tests of requests that React Router's client sends to a built application. */
export function testDataRequests(start: () => Promise<RunningApplication>): void {
  beforeAll(async () => Object.assign(site, await start()));
  afterAll(() => site.stop());

  it.each([
    ['/guarded.data?chapter=2', '/guarded?chapter=2'],
    ['/guarded/inner.data', '/guarded/inner'],
    ['/guarded.data?chapter=2&_routes=routes%2Fguarded-page', '/guarded?chapter=2'],
  ])('a guard leads %s to the sign-in page as a document, which returns to %s', async (path, callbackUrl) => {
    const { value } = await ask(path);
    const redirect = `/auth/signin?${new URLSearchParams({ callbackUrl })}`;
    expect(value[redirection]).toMatchObject({ redirect, reload: true });
  });

  it('a guarded page shows its data to a visitor with a session', async () => {
    const { value } = await ask('/guarded.data', { cookie: await signedIn() });
    expect(value['routes/guarded-page']).toEqual({ data: { title: 'Guarded page of Ada' } });
  });

  it('a page that handles the refusal itself keeps its data', async () => {
    const { value } = await ask('/optional.data');
    expect(value['routes/optional']).toEqual({ data: { title: 'Page of nobody' } });
  });

  it('a link to the sign-in page loads a document', async () => {
    const { value } = await ask('/auth/signin.data?callbackUrl=%2Fguarded');
    expect(value[redirection]).toMatchObject({ redirect: '/auth/signin?callbackUrl=%2Fguarded', reload: true });
  });

  it('a sign-out in an action redirects as a document, and clears the cookie', async () => {
    const body = new URLSearchParams({ redirectTo: '/session' });
    const { response, value } = await ask('/sign-out.data', { method: 'POST', body, cookie: await signedIn() });
    expect(value).toMatchObject({ redirect: `${site.origin}/session`, reload: true });
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^authjs.session-token=;/));
  });

  it('a form for an action of the binding needs the CSRF token, as without scripts', async () => {
    const { value } = await ask('/auth/signout.data', { method: 'POST', body: new URLSearchParams({}) });
    expect(value).toMatchObject({ redirect: `${site.origin}/auth/signin?error=MissingCSRF` });
  });
}

/** Sends a request as React Router's client does, and returns what the client decodes. */
async function ask(path: string, { cookie = '', ...init }: RequestInit & { cookie?: string } = {}) {
  const headers = { cookie, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', origin: site.origin };
  const response = await fetch(site.origin + path, { ...init, headers, redirect: 'manual' });
  const { value } = await decode(response.body as ReadableStream<Uint8Array>, globalThis as unknown as Window);
  return { response, value: value as Record<string | symbol, unknown> };
}

async function signedIn(): Promise<string> {
  const browser = new Browser(fetch, { origin: site.origin });
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  await browser.post('/auth/callback/credentials', { csrfToken, name: 'Ada', password: 'password' });
  const cookies = browser.cookies.all().map(({ name, value }) => `${name}=${value}`);
  return cookies.join('; ');
}
