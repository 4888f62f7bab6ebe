import { join } from 'node:path';
import { Browser, type Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAstro, type Served, serveAstro } from '../build.ts';

const SESSION = 'authjs.session-token';
const cookiesOf = ({ setCookies }: Page): string[] => setCookies.filter(({ name }) => name === SESSION).map(String);
let site: Served;
let seldomRenewed: Served;
let ownSignInPage: Served;

beforeAll(async () => {
  const output = await buildAstro(join(import.meta.dirname, '../pitfalls'));
  // Each read renews the session.
  site = await serveAstro(output, { BINDING_SETUP: JSON.stringify({ updateAge: 0 }) });
  seldomRenewed = await serveAstro(output, { BINDING_SETUP: '{}' });
  ownSignInPage = await serveAstro(output, { BINDING_SETUP: JSON.stringify({ signInPage: '/target' }) });
});
afterAll(() => Promise.all([site?.stop(), seldomRenewed?.stop(), ownSignInPage?.stop()]));

function visitor({ origin } = site): Browser {
  const send = (request: Request): Promise<Response> => fetch(request, { redirect: 'manual' });
  return new Browser(send, { origin });
}

async function signedIn(name: string, on = site): Promise<Browser> {
  const browser = visitor(on);
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  await browser.post('/auth/callback/credentials', { csrfToken, name, password: 'password' });
  return browser;
}

describe('an application on Astro', () => {
  it('has no session on a page that is built in advance', async () => {
    const page = await (await signedIn('Ada')).get('/prerendered');
    expect([page.status, page.text().includes('Session: null'), page.setCookies]).toEqual([200, true, []]);
  });

  it.each(['/alias', '/rewritten'])('renews the session once if a page is rewritten: %s', async (path) => {
    const browser = await signedIn('Ada');
    const page = await browser.get(path);
    expect(page.text()).toContain('<p>Ada</p>');
    expect(cookiesOf(page)).toHaveLength(1);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each(['/alias?sign-out', '/rewritten?sign-out'])(
    'ends the session before or after a rewrite: %s',
    async (path) => {
      const browser = await signedIn('Ada');
      expect((await browser.get(path)).text()).toContain('<p>nobody</p>');
      expect(browser.cookies.has(SESSION)).toBe(false);
    },
  );

  it('has no session after a rewrite to a request without cookies', async () => {
    expect((await (await signedIn('Ada')).get('/anonymous')).text()).toContain('<p>nobody</p>');
  });

  it('keeps a page that depends on the session out of the cache of Astro', async () => {
    // The cache of Astro does not store a page that sets a cookie, as a renewed session does.
    const [ada, grace] = [await signedIn('Ada', seldomRenewed), await signedIn('Grace', seldomRenewed)];
    expect((await ada.get('/stored')).json()).toMatchObject({ user: { name: 'Ada' } });
    const page = await grace.get('/stored');
    expect(page.json()).toMatchObject({ user: { name: 'Grace' } });
    expect(page.headers.get('x-astro-cache')).toBeNull();
    expect((await visitor(seldomRenewed).get('/stored')).json()).toBeNull();
  });

  it('leaves pages without a session to the cache of Astro', async () => {
    const found: (string | null)[] = [];
    for (let count = 0; count < 2; count++)
      found.push((await visitor().get('/stored?public')).headers.get('x-astro-cache'));
    expect(found).toEqual(['MISS', 'HIT']);
  });

  it('shows the session in a component of a streamed page, and does not renew it', async () => {
    const page = await (await signedIn('Ada')).get('/streamed');
    expect(page.text()).toMatch(/start.*<b>Ada<\/b>/s);
    expect(cookiesOf(page)).toEqual([]);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it('shows the session in a server island, whose request is its own', async () => {
    const browser = await signedIn('Ada');
    const address = /\/_server-islands\/Name[^"']*/.exec((await browser.get('/island')).text())?.[0] ?? '';
    const island = address.replaceAll('&amp;', '&');
    const own = await browser.get(island, { mode: 'cors', site: 'same-origin' });
    expect(own.text()).toContain('<b>Ada</b>');
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect((await visitor().get(island)).text()).toContain('<b>nobody</b>');
  });

  it('guards an action with UNAUTHORIZED', async () => {
    const call = { json: true, mode: 'cors', site: 'same-origin' } as const;
    const refused = await visitor().post('/_actions/whoami', {}, call);
    expect([refused.status, refused.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
    const page = await (await signedIn('Ada')).post('/_actions/whoami', {}, call);
    expect([page.status, page.text()]).toEqual([200, '["Ada"]']);
  });

  it.each(['/target', '/target/'])(
    'guards an action that is called at the path of the sign-in page: %s',
    async (path) => {
      const call = { json: true, mode: 'cors', site: 'same-origin' } as const;
      const browser = visitor(ownSignInPage);
      expect((await browser.get(path)).status).toBe(200);
      expect((await browser.post(`${path}?_action=whoami`, {}, call)).status).toBe(401);
    },
  );

  it('does not receive forms of providers (`response_mode=form_post`) unless `checkOrigin` is off', async () => {
    const form = { site: 'cross-site', initiator: 'https://appleid.apple.com' } as const;
    const page = await visitor().post('/auth/callback/apple', { code: 'x', state: 'y' }, form);
    expect([page.status, page.text()]).toEqual([403, 'Cross-site POST form submissions are forbidden']);
  });
});
