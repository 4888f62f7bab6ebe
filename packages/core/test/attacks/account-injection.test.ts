import { memoryAdapter, type Page, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, doors } from '../flows/doors.ts';
import { guidedScene, stranger } from '../flows/linking-scene.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { wellFormed } from '../properties/words.ts';
import { payloads } from '../views/hostile.ts';
import { tags } from '../views/outline.ts';

/** Nothing of the page may run: no foreign element, no event handler, no address that is not a web address. */
function expectHarmless(page: Page, about: string): void {
  for (const { name, attributes } of tags(page.text())) {
    expect(name, about).not.toBe('xss');
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute, about).not.toMatch(/^on|^style$/);
      if (['href', 'src', 'action'].includes(attribute)) expect(value, about).toMatch(/^(https?:\/\/localhost|\/)/);
    }
    if (name === 'script') expect(attributes['src'], about).toMatch(/\/auth\/asset\//);
  }
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
}

const QUERIES = ['error', 'reason', 'code', 'provider', 'retryAfter', 'login_hint', 'email', 'step', 'add', 'done', 'token', 'statement', 'chosen', 'callbackUrl'] as const; // biome-ignore format: a list to be read across
const PAGES = ['account', 'account/confirm', 'account/undo', 'account/delete', 'account/sign-in', 'signin', 'signin?add', 'signin?step=register', 'offer'] as const; // biome-ignore format: a list to be read across

describe('pages of the account and of the sign-in', () => {
  it.each(payloads)('show %j as text, from names, labels and queries', async (payload) => {
    const text = wellFormed(payload);
    const app = guidedScene({ config: { account: {}, theme: { lastUsed: true } } });
    let shown = 0;
    const check = (page: Page, about: string): void => {
      if (page.location) return;
      shown += 1;
      expectHarmless(page, about);
    };
    await app.signIn({ consent: { user: { sub: 'ada', name: text, email: 'ada@example.com', email_verified: true } } });
    app.browser.cookies.set('authjs.last', encodeURIComponent(text));
    await app.post('account/email', { email: 'x&"y@example.com' });
    const offered = await app.signInSecond({ ...stranger, email: undefined as never, name: text });
    for (const path of PAGES) {
      for (const name of QUERIES) {
        const query = new URLSearchParams({ ...(name !== 'error' && { error: 'OAuthCallbackError' }), [name]: text });
        const page = await app.browser.get(`/auth/${path}${path.includes('?') ? '&' : '?'}${query}`);
        check(page, `${path} ${name}`);
      }
    }
    const question = await app.browser.get(offered.location ?? '/auth/offer');
    check(question, 'offer');
    await app.signOut();
    for (const [path, fields] of [
      ['signin', { identifier: text }],
      ['signin/mail', { email: text }],
    ] as const) {
      for (const latchkeyPage of ['signin', 'password', 'key', 'register', text]) {
        const page = await app.post(path, { ...fields, latchkeyPage, callbackUrl: text });
        check(page, `${path} ${latchkeyPage}`);
      }
    }
    expect(shown).toBeGreaterThan(100);
  });

  it.each(payloads)('show %j as text, from the name of a passkey', async (payload) => {
    const app = passkeyScene(
      doors[0] as Door,
      {},
      { adapter: memoryAdapter(), config: { account: { without: ['mails'] } } },
    );
    await app.register();
    await app.add({ authenticator: new SoftwareAuthenticator() });
    const ways = (await app.browser.get('/auth/account', { headers: { accept: 'application/json' } })).json<{
      ways: { id: string }[];
    }>().ways;
    await app.post('account/passkey', { id: ways[0]?.id, name: wellFormed(payload) });
    await app.post('account/name', { name: wellFormed(payload) });
    expectHarmless(await app.browser.get('/auth/account'), payload);
    expectHarmless(await app.browser.get('/auth/account/delete'), payload);
    expectHarmless(await app.browser.get('/auth/signin'), payload);
  });
});
