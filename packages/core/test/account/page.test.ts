import { FakeProvider, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Passkey from '../../src/providers/passkey.ts';
import { addSecond, kinds, makeSite, type Site } from './scene.ts';

const ACCOUNT = 'http://localhost:3000/auth/account';

/** Submits the form of a part of the page, as a visitor does. Returns the page that follows. */
async function submit(app: Site, part: string, fields = {}, index = 0) {
  const page = await app.browser.get('/auth/account');
  const form = app.browser.forms(page).filter(({ action }) => action === `${ACCOUNT}/${part}`)[index];
  if (!form) throw new Error(`the page has no form of the part ${part}`);
  const reply = await app.browser.submit(form, fields);
  return reply.redirect?.href.startsWith(ACCOUNT) ? app.browser.get(reply.redirect) : reply;
}

const textOf = async (app: Site, query = ''): Promise<string> =>
  (await app.browser.get(`/auth/account${query}`)).text();

describe.each(kinds)('the page of the account (%s)', (kind) => {
  it('changes the name, and says so', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await submit(app, 'name', { name: '<Ada>' });
    expect(page.text()).toContain('<p class="message done" role="status">Your name was changed.</p>');
    expect(page.text()).toContain('value="&lt;Ada&gt;"');
    expect(await app.session()).toMatchObject({ user: { name: '<Ada>' } });
  });

  it('adds and removes ways to sign in', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const started = await submit(app, 'link');
    if (!started.redirect) throw new Error('the page leads to the provider');
    const consent = { user: { sub: 'ada-second', email: 'ada@second.example' } };
    const back = await app.open(await app.provider.authorize(started.redirect, consent));
    expect(back.redirect?.href).toBe(ACCOUNT);
    expect(await textOf(app)).toContain('aria-label="Remove: Second');
    const page = await submit(app, 'unlink', {}, 1);
    expect(page.text()).toContain('The way to sign in was removed.');
    expect(page.text()).not.toContain('aria-label="Remove: Second');
    expect(app.adapter.dump().accounts.map(({ provider }) => provider)).toEqual(['fake']);
  });

  it('leads to the sign-in page, and back', async () => {
    const app = makeSite(kind);
    const page = await app.browser.get('/auth/account');
    expect(page.redirect?.href).toBe(
      `http://localhost:3000/auth/signin?callbackUrl=${encodeURIComponent(ACCOUNT)}&error=SessionRequired`,
    );
    await app.signIn();
    app.clock.advance(601);
    const again = await app.browser.get('/auth/account');
    expect(again.text()).toContain(`href="${ACCOUNT}/sign-in?callbackUrl=${encodeURIComponent(ACCOUNT)}"`);
    expect((await app.browser.submit(app.browser.form(again, 'account/name'))).redirect?.pathname).toBe(
      '/auth/account/sign-in',
    );
  });
});

describe('the page of the account', () => {
  it('shows texts of its own only', async () => {
    const app = makeSite('jwt');
    await app.signIn();
    expect(await textOf(app, '?error=LastWayIn')).toContain('This is your only way to sign in, so it was not removed.');
    expect(await textOf(app, '?error=<b>x')).toContain('Nothing was changed. Try again.');
    for (const query of ['?done=<b>x', '?done=constructor', '']) {
      expect(await textOf(app, query)).not.toContain('class="message');
    }
  });

  it('has no script, and no form to another site', async () => {
    const app = makeSite('jwt');
    await app.signIn();
    const page = await app.browser.get('/auth/account');
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect(page.text()).not.toContain('<script');
    for (const { action } of app.browser.forms(page))
      expect(action).toMatch(/^http:\/\/localhost:3000\/auth\/account\//);
  });

  it('leaves out what the options and the adapter do not have', async () => {
    const bare = memoryAdapter({ optional: false }) as unknown as MemoryAdapter;
    const without = ['email', 'delete', 'export', 'mails'] as const;
    const app = makeSite('database', { without }, { adapter: bare });
    await app.signIn();
    const actions = app.browser.forms(await app.browser.get('/auth/account')).map(({ action }) => action);
    expect(actions.map((action) => action.replace(`${ACCOUNT}/`, ''))).toEqual(['name']);
    const text = await textOf(app);
    for (const heading of ['Passkeys', 'Your sessions', 'Your data']) expect(text).not.toContain(`<h2>${heading}</h2>`);
    const whole = makeSite('database with records');
    await whole.signIn();
    await addSecond(whole);
    const all = await textOf(whole);
    for (const heading of ['Profile', 'Email address', 'Ways to sign in', 'Your sessions', 'Your data']) {
      expect(all).toContain(`<h2>${heading}</h2>`);
    }
    expect(all).toContain('href="http://localhost:3000/auth/sessions"');
    expect(all).toContain(`href="${ACCOUNT}/delete"`);
    expect(all).toContain('<h3><bdi>Links by email</bdi></h3>');
    const parts = whole.browser.forms(await whole.browser.get('/auth/account')).map(({ action }) => action);
    expect(parts.map((action) => action.replace(`${ACCOUNT}/`, ''))).toEqual([
      'name',
      'email',
      'unlink',
      'unlink',
      'export',
    ]);
  });

  it.each([
    ['export', false, true],
    ['delete', true, false],
  ] as const)('has the rest of "Your data" without `%s`', async (feature, hasExport, hasDeletion) => {
    const app = makeSite('jwt', { without: [feature] });
    await app.signIn();
    const text = await textOf(app);
    expect([text.includes(`${ACCOUNT}/export`), text.includes(`${ACCOUNT}/delete`)]).toEqual([hasExport, hasDeletion]);
  });

  it('offers passkeys if a provider has them, and shows those that the user has', async () => {
    const account = { without: ['mails'] } as const;
    const plain = new FakeProvider({ oidc: false, issuer: 'https://plain.test' });
    const app = makeSite('database', account, ({ provider }) => ({
      providers: [provider.provider(), plain.plainProvider({ id: 'plain', name: 'Plain' }), Passkey({})],
      experimental: { enableWebAuthn: true },
    }));
    await app.signIn();
    const empty = await textOf(app);
    expect(empty).toContain('You have no passkey yet.');
    const passkey = `http://localhost:3000/auth/signin?add=&amp;callbackUrl=${encodeURIComponent(ACCOUNT)}`;
    expect(empty).toContain(`href="${passkey}">Add a passkey</a>`);
    expect(empty.match(/Add <bdi>\w+/g)).toEqual(['Add <bdi>Plain']);
    const userId = app.adapter.dump().users[0]?.id ?? '';
    await app.adapter.linkAccount({ userId, provider: 'passkey', providerAccountId: 'phone', type: 'webauthn' });
    const without = makeSite('database', account, ({ provider }) => ({ providers: [provider.provider()] }), app);
    await without.signIn();
    expect(await textOf(without)).toContain('<h2>Passkeys</h2>');
    expect(await textOf(without)).not.toContain('Add a passkey');
  });

  it('has no empty line for an account without a label', async () => {
    const app = makeSite('database');
    await app.signIn();
    const userId = app.adapter.dump().users[0]?.id ?? '';
    await app.adapter.linkAccount({ userId, provider: 'second', providerAccountId: 'old', type: 'oidc' });
    const [, item] = (await textOf(app)).split('<h3><bdi>Second</bdi></h3>');
    expect(item?.split('<form')[0]?.trim()).toBe('');
  });

  it('offers the providers by name, and no removal if the adapter cannot remove', async () => {
    const adapter = memoryAdapter() as MemoryAdapter;
    Reflect.deleteProperty(adapter, 'unlinkAccountIfNotLast');
    const app = makeSite('database', {}, { adapter });
    await app.signIn();
    expect(await textOf(app)).toContain('Add <bdi>Second</bdi>');
    await addSecond(app);
    const text = await textOf(app);
    expect(text).toContain('<h3><bdi>Second</bdi></h3>');
    expect(text).not.toContain(`${ACCOUNT}/unlink`);
  });

  it('has no other parts', async () => {
    const app = makeSite('jwt');
    await app.signIn();
    for (const part of ['unknown', 'constructor', 'name']) {
      expect((await app.browser.get(`/auth/account/${part}`)).status, part).toBe(400);
    }
    for (const part of ['unknown', 'sign-in']) expect((await app.post(`account/${part}`)).status, part).toBe(400);
    // Guided linking has only the page to sign in again.
    const guided = makeSite('jwt', {}, { account: undefined, linking: 'guided' });
    await guided.signIn();
    expect((await guided.post('account/name', { name: 'New' })).status).toBe(400);
    expect((await guided.browser.get('/auth/account/sign-in')).status).toBe(200);
    // Other paths are unknown, as all paths beside the actions are. The log reports parts without this method.
    const reason = 'the account has no such part, or the part does not answer this method';
    expect(app.log.errors.map(({ message }) => message.split('. See')[0])).toEqual([reason, reason]);
  });

  it.each([
    ['email', 'confirm'],
    ['mails', 'undo'],
    ['delete', 'delete'],
  ] as const)('has no page of a feature that is left out: %s', async (feature, part) => {
    const statuses = [{}, { without: [feature] }].map(async (account) => {
      const app = makeSite('jwt', account);
      await app.signIn();
      return (await app.browser.get(`/auth/account/${part}`)).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 400]);
  });

  it('names the part and the method in the log if the part does not answer it', async () => {
    const app = makeSite('jwt');
    await app.browser.get('/auth/account/name');
    expect(app.log.errors).toMatchObject([{ cause: { part: 'name', method: 'GET' } }]);
  });

  it('shows a form that was sent with wrong values again, without an entry in the log', async () => {
    const app = makeSite('jwt');
    await app.signIn();
    const page = await app.post('account/name', { name: 'x'.repeat(101) });
    expect(page.redirect?.href).toBe(`${ACCOUNT}?error=BadRequest`);
    expect(app.log.errors).toEqual([]);
  });

  it.each([
    ['the built-in page', {}, {}, ACCOUNT],
    ['the page of the application', { page: false }, { account: '/me' }, '/me'],
    ['nothing if there is no page', { page: false }, {}, undefined],
  ])('is linked from the sign-in page of a visitor who is signed in: %s', async (_, account, pages, url) => {
    const app = makeSite('jwt', account, { pages });
    await app.signIn();
    const text = (await app.browser.get('/auth/signin')).text();
    const links = [...text.matchAll(/href="([^"]*)">Account/g)].map(([, href]) => href);
    expect(links).toEqual(url === undefined ? [] : [url]);
  });

  it('can be one of the application, or none', async () => {
    for (const account of [{}, { page: false }]) {
      const own = makeSite('jwt', account, { pages: { account: '/me' } });
      await own.signIn();
      expect((await own.browser.get('/auth/account')).redirect?.pathname).toBe('/me');
      expect((await own.post('account/name', { name: 'New' })).location).toBe('http://localhost:3000/me?done=name');
    }
    const none = makeSite('jwt', { page: false });
    await none.signIn();
    expect((await none.browser.get('/auth/account')).status).toBe(400);
    expect(none.log.errors[0]?.message).toContain('`account.page` is false');
    expect((await none.post('account/name', { name: 'New' })).redirect?.search).toBe('?done=name');
  });
});
