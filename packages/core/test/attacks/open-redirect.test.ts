import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, scene } from '../flows/scene.ts';
import { wellFormed } from '../properties/words.ts';
import { tags } from '../views/outline.ts';
import { openRedirects } from './payloads.ts';
import { csrfTokenOf } from './site.ts';

const ORIGIN = 'http://localhost:3000';
const COOKIE = 'authjs.callback-url';
const fake = fakeProvider();
const providers = [oidc(fake), Credentials({ authorize: () => ({ id: '7' }) })];

/** Where a browser would end up: every address in the answer, read as browsers read it. */
function leavesTo(page: Page): string[] {
  const isHtml = page.headers.get('content-type')?.startsWith('text/html');
  const links = isHtml
    ? tags(page.text()).flatMap(({ name, attributes }) => {
        if (name === 'input') return attributes.name === 'callbackUrl' ? [attributes.value] : [];
        return [attributes.href, attributes.action];
      })
    : [];
  const told =
    page.headers.get('content-type') === 'application/json' ? page.json<{ url?: string } | null>()?.url : undefined;
  const remembered = page.cookie(COOKIE)?.value;
  const targets = [page.location, told, remembered && decodeURIComponent(remembered), ...links];
  return targets
    .filter((target) => typeof target === 'string')
    .filter((target) => new URL(target, page.url).origin !== ORIGIN);
}

/** How an address gets in, and all answers that could use it. */
const ways: Record<string, (app: Scene, payload: string) => Promise<Page[]>> = {
  'the body of a sign-out': async (app, payload) => [await app.post('signout', { callbackUrl: payload })],
  'the body of a sign-in by credentials': async (app, payload) => [
    await app.post('callback/credentials', { callbackUrl: payload }),
  ],
  'the body of a sign-in at a provider': async (app, payload) => {
    const started = await app.begin('fake', { callbackUrl: payload });
    return [await app.finish(await fake.authorize(started.location ?? ''))];
  },
  'a JSON body': async (app, payload) => {
    const headers = { 'x-auth-return-redirect': '1' };
    return [
      await app.browser.post(
        '/auth/signout',
        { csrfToken: await csrfTokenOf(app.browser), callbackUrl: payload },
        { json: true, headers },
      ),
    ];
  },
  'the query of each page': async (app, payload) => {
    const query = new URLSearchParams({ callbackUrl: payload });
    const pages = ['signin', 'signout', 'verify-request', 'error', 'csrf', 'session', 'callback/fake'].map((path) =>
      app.browser.get(`/auth/${path}?${query}`),
    );
    return Promise.all(pages);
  },
  'the query of a form’s address': async (app, payload) => [
    await app.post(`signout?${new URLSearchParams({ callbackUrl: payload })}`),
    await app.post(`signin?${new URLSearchParams({ callbackUrl: payload })}`),
  ],
  'a planted cookie': async (app, payload) => {
    app.browser.cookies.set(COOKIE, encodeURIComponent(payload));
    const page = await app.browser.get('/auth/signin');
    app.browser.cookies.set(COOKIE, encodeURIComponent(payload));
    return [page, await app.post('signout')];
  },
};

describe('the list', () => {
  it('has 103 different ways out', () => {
    expect(new Set(openRedirects).size).toBe(103);
  });
});

describe.each(doors)('an address of another site, through $name', (door) => {
  it.each(Object.entries(ways))('leads nowhere from %s', async (_, way) => {
    const gone: string[] = [];
    const app = scene(door, { providers, rateLimit: false });
    for (const payload of openRedirects) {
      app.browser.cookies.clear();
      for (const page of await way(app, payload)) {
        if (page.status >= 500) gone.push(`${JSON.stringify(payload)} → ${page.status}`);
        gone.push(...leavesTo(page).map((target) => `${JSON.stringify(payload)} → ${target}`));
      }
    }
    expect(gone).toEqual([]);
  });

  it("leads nowhere from the application's own pages", async () => {
    const pages = { signIn: '/login', signOut: '/bye', error: '/oops', verifyRequest: '/look', newUser: '/welcome' };
    const gone: string[] = [];
    const app = scene(door, { providers, pages });
    for (const payload of openRedirects) {
      app.browser.cookies.clear();
      const query = new URLSearchParams({ callbackUrl: payload });
      for (const path of ['signin', 'signout', 'error', 'verify-request']) {
        const { redirect, location = '' } = await app.browser.get(`/auth/${path}?${query}`);
        const callbackUrl = path === 'signin' ? (redirect?.searchParams.get('callbackUrl') ?? '') : ORIGIN;
        if (redirect?.origin !== ORIGIN || new URL(callbackUrl, ORIGIN).origin !== ORIGIN)
          gone.push(`${path}: ${JSON.stringify(payload)} → ${location}`);
      }
    }
    expect(gone).toEqual([]);
  });

  it('leads nowhere from the error page while the configuration is wrong', async () => {
    const app = scene(door, { secret: '', pages: { error: '/oops' } });
    for (const payload of openRedirects) {
      const page = await app.browser.get(`/auth/signin?${new URLSearchParams({ callbackUrl: payload })}`);
      expect(leavesTo(page)).toEqual([]);
    }
  });

  it('is not among what a sign-in remembers', async () => {
    const app = scene(door, { providers });
    for (const payload of openRedirects) {
      const started = await app.begin('fake', { callbackUrl: payload });
      expect(new URL(started.location ?? '').origin).toBe(new URL(fake.issuer).origin);
      expect(started.location).not.toContain('evil');
    }
  });
});

describe.each(doors)('a callback URL that is malformed, through $name', (door) => {
  const broken = [
    'http://',
    'https://[',
    'http://a b',
    '%',
    '%E0%A4',
    '/%',
    'x'.repeat(5000),
    `/${'x'.repeat(5000)}`,
    '[object Object]',
    '\ud800',
    'null',
  ];

  it('never makes an answer fail, in the query or for ever after in the cookie', async () => {
    for (const payload of broken) {
      const app = scene(door, { providers });
      const query = new URLSearchParams({ callbackUrl: payload });
      const pages = [await app.browser.get(`/auth/signin?${query}`), await app.browser.get('/auth/session')];
      app.browser.cookies.set(COOKIE, encodeURIComponent(wellFormed(payload)));
      pages.push(await app.browser.get('/auth/signin'), await app.browser.get('/auth/csrf'));
      app.browser.cookies.set(COOKIE, payload.replace(/[^!-~]|;/g, ''));
      pages.push(await app.browser.get('/auth/signout'));
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
  });

  it('puts no line break and no NUL into a header', async () => {
    for (const payload of [
      '/x\r\nSet-Cookie: a=b',
      '/x%0d%0aSet-Cookie: a=b',
      '/x\0y',
      'http://localhost:3000/\r\nx',
      '/\u2028x',
      '/é\n',
    ]) {
      const app = scene(door, { providers });
      for (const json of [false, true]) {
        const page = await app.browser.post(
          '/auth/signout',
          { csrfToken: await csrfTokenOf(app.browser), callbackUrl: payload },
          { json },
        );
        expect(page.status).toBe(302);
        expect(page.location).toMatch(/^http:\/\/localhost:3000[!-~]*$/);
        expect(page.setCookies.map(({ name }) => name)).not.toContain('a');
      }
    }
  });
});
