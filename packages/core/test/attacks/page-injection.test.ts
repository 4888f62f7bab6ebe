import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { type Door, oneDoor } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, scene } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';
import { wellFormed } from '../properties/words.ts';
import { payloads } from '../views/hostile.ts';
import { styleTexts, tags } from '../views/outline.ts';

const PAGES = ['signin', 'signout', 'verify-request', 'error'];
/** Names of everything that a page shows or is made of, and of what others let a query replace. */
const PARAMETERS = [
  'error', 'code', 'email', 'callbackUrl', 'csrfToken', 'reference', 'providers', 'theme', 'logo', 'brandColor', 'buttonText', 'colorScheme', 'title', 'message', 'heading', 'details', 'remedy', 'provider', 'type', 'token', 'url', 'signinUrl', 'signInUrl', 'signOutUrl', 'origin', 'name', 'id', 'style', '__proto__', 'constructor', '<xss>',
] as const; // biome-ignore format: a list to be read across

function application(door: Door): Scene {
  const email = { id: 'mail', type: 'email' as const, name: 'Mail', sendVerificationRequest: () => undefined };
  const login = Credentials({ credentials: { name: { label: 'Name' } }, authorize: () => null });
  const adapter = { ...memoryStore().adapter, createVerificationToken: () => null, useVerificationToken: () => null };
  return scene(door, {
    providers: [oidc(fakeProvider()), email, { ...email, id: 'careful', confirm: true }, login],
    adapter,
    session: { strategy: 'jwt' },
  });
}

/** Tags and their attributes' names, with the addresses that a click or a form would go to. */
function shapeOf(page: Page): string[] {
  return tags(page.text()).map(({ name, attributes }) => {
    const { href, action } = attributes;
    return [name, ...Object.keys(attributes), href && new URL(href, page.url).origin, action].join(' ');
  });
}

describe('a link with payloads', () => {
  // Pages are made behind the doors: one of them will do.
  const [door] = oneDoor as readonly [Door];

  it.each(PAGES)('cannot change what %s is made of', async (path) => {
    const app = application(door);
    const queries = [
      '',
      '?error=x',
      '?error=CredentialsSignin',
      '?error=CredentialsSignin&code=x',
      '?email=a',
      '?error=x&email=a',
    ];
    const known = await Promise.all(
      queries.map(async (query) => shapeOf(await app.browser.get(`/auth/${path}${query}`)).join('\n')),
    );
    const errors = await Promise.all(
      ['Configuration', 'AccessDenied', 'SessionRequired'].map(async (error) =>
        shapeOf(await app.browser.get(`/auth/${path}?error=${error}`)).join('\n'),
      ),
    );
    const shapes = new Set([...known, ...errors]);
    for (const name of PARAMETERS) {
      for (const payload of payloads) {
        const text = wellFormed(payload);
        const query = new URLSearchParams({ error: 'CredentialsSignin', code: 'x', [name]: text });
        const page = await app.browser.get(`/auth/${path}?${new URLSearchParams({ [name]: text })}`);
        const both = await app.browser.get(`/auth/${path}?${query}`);
        for (const shown of [page, both]) {
          if (shown.status !== 200) expect.fail(`${name}=${payload}: ${shown.status}`);
          if (!shapes.has(shapeOf(shown).join('\n'))) expect.fail(`${name}=${payload}`);
          for (const css of styleTexts(shown.text())) expect(css).not.toMatch(/xss|evil/);
        }
      }
    }
  });

  it.each(PAGES)('cannot replace the token, the forms or the look of %s', async (path) => {
    const app = application(door);
    const plain = await app.browser.get(`/auth/${path}`);
    const query = new URLSearchParams({
      csrfToken: 'x',
      providers: '[]',
      theme: 'dark',
      colorScheme: 'dark',
      brandColor: '#f00',
      logo: 'https://evil.example/l.png',
      origin: 'https://evil.example',
      signinUrl: 'https://evil.example',
      signInUrl: 'https://evil.example',
      reference: 'call 0900',
      message: 'You won',
    });
    expect((await app.browser.get(`/auth/${path}?${query}`)).text() === plain.text()).toBe(true);
  });

  it('cannot put anything on the page that asks before a mailed link is used', async () => {
    const app = application(door);
    for (const payload of payloads) {
      const query = new URLSearchParams({
        token: wellFormed(payload),
        email: 'ada@example.com',
        callbackUrl: wellFormed(payload),
      });
      const page = await app.browser.get(`/auth/callback/careful?${query}`);
      expect(page.status).toBe(200);
      const form = app.browser.form(page);
      expect(new URL(form.action).pathname).toBe('/auth/callback/careful');
      const scripts = tags(page.text()).filter(({ name }) => name === 'script');
      expect(scripts.map(({ attributes: { src = '' } }) => new URL(src).pathname)).toEqual(['/auth/asset/page.js']);
      const [, address] = [
        query.set('email', wellFormed(payload)),
        await app.browser.get(`/auth/callback/careful?${query}`),
      ];
      expect(address.location).toMatch(/\/auth\/error\?error=Verification$/);
    }
  });

  it('shows what it prefills as text', async () => {
    const app = application(door);
    const page = await app.browser.get(`/auth/signin?${new URLSearchParams({ email: '"><xss>' })}`);
    expect(page.text()).toContain('value="&quot;&gt;&lt;xss&gt;"');
  });
});

describe.each(oneDoor)('every page, through $name', (door) => {
  it.each([
    ...PAGES,
    'error?error=Configuration',
    'error?error=AccessDenied',
    'signin?error=x',
    'callback/careful?token=x&email=a@example.com',
  ])('%s cannot be framed, sniffed, cached, or made to run a script', async (path) => {
    const page = await application(door).browser.get(`/auth/${path}`);
    const { headers } = page;
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toMatch(/^(same-origin|strict-origin|no-referrer)$/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const policy = headers.get('content-security-policy') ?? '';
    // A script comes from the folder of the library only, and cannot turn text into markup.
    const script = "script-src http:\\/\\/localhost:3000\\/auth\\/asset\\/; require-trusted-types-for 'script'; ";
    expect(policy).toMatch(
      new RegExp(
        `^default-src 'none'; style-src 'sha256-[\\w+/=]+'; (${script})?img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'$`,
      ),
    );
    expect(page.text()).not.toMatch(
      /<script(?! type="module" src="http:\/\/localhost:3000\/auth\/asset\/)|\son\w+=|\sstyle=|https?:\/\/(?!localhost:3000)/,
    );
  });

  it('also while the configuration is wrong', async () => {
    for (const development of [false, true]) {
      const page = await scene(door, { secret: '' }, { call: { development } }).browser.get('/auth/signin');
      expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual([
        'DENY',
        'private, no-store',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('in JSON is not cached if it is about the visitor', async () => {
    const app = application(door);
    for (const path of ['session', 'csrf']) {
      expect((await app.browser.get(`/auth/${path}`)).headers.get('cache-control')).toBe('private, no-cache, no-store');
    }
    const update = await app.post('session', { data: 'x' });
    expect(update.headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect((await app.post('signin/fake')).headers.get('cache-control')).toBe('private, no-store');
    expect((await app.post('signout')).status).toBe(302);
  });
});

describe.each(oneDoor)('an error’s name of another kind, through $name', (door) => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'])(
    '%s finds nothing',
    async (error) => {
      const app = application(door);
      const [page, general] = [
        await app.browser.get(`/auth/error?error=${error}`),
        await app.browser.get('/auth/error?error=x'),
      ];
      expect([page.status, page.text()]).toEqual([200, general.text()]);
      const [signIn, other] = [
        await app.browser.get(`/auth/signin?error=${error}`),
        await app.browser.get('/auth/signin?error=x'),
      ];
      expect([signIn.status, signIn.text()]).toEqual([200, other.text()]);
    },
  );
});
