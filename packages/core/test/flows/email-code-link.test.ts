import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { address, bob, codeOf, codeScene, deletingStore, mailCookie, type } from './email-code-scene.ts';
import { changed, mailScene, mailStore } from './email-scene.ts';
import { leadsTo, startsSession } from './scene.ts';

describe.each(oneDoor)('a mail with a code through $name', (door) => {
  const withCode = codeScene(door);

  describe('whose link is opened', () => {
    it('in the browser that requested it signs in at once', async () => {
      const app = withCode();
      const page = await app.open(await app.link(address));
      expect([leadsTo(page), startsSession(page)]).toEqual(['/in', true]);
      expect([app.store.tokens.size, mailCookie(app)]).toEqual([0, undefined]);
    });

    it.each([
      ['another browser', {}],
      ['a page that loads it as an image', { 'sec-fetch-mode': 'no-cors' }],
      ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ])('by %s shows a page, spends nothing, and the form signs in', async (what, headers) => {
      const app = withCode();
      const link = await app.link(address);
      const browser = what === 'another browser' ? app.visitor() : app.browser;
      app.store.forget();
      const page = await browser.get(link, { headers });
      expect([page.status, startsSession(page)]).toEqual([200, false]);
      expect(page.text()).toContain('To sign in on another device, type the code from the email there.');
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      expect(app.store.names().filter((name) => /Token/.test(name))).toEqual([]);
      expect(page.setCookies.map(({ name }) => name)).not.toContain('authjs.mail');
      const done = await browser.submit(browser.form(page));
      expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
    });

    it('with the token of an older mail shows a page', async () => {
      const app = withCode();
      const link = await app.link(address);
      await app.ask(bob);
      expect((await app.open(link)).status).toBe(200);
      expect((await app.open(changed(app.sent[1]?.url ?? '', { token: app.sent[0]?.token }))).status).toBe(200);
    });

    it('is not spent by five GETs without cookies, nor by HEAD, and they write nothing', async () => {
      const app = withCode();
      const link = await app.link(address);
      app.store.forget();
      for (let count = 0; count < 5; count++) {
        const page = await app.visitor().open(link);
        expect(page.status).toBe(200);
        expect(page.setCookies.map(({ name }) => name).sort()).toEqual(['authjs.callback-url', 'authjs.csrf-token']);
        expect((await app.visitor().open(link, { method: 'HEAD' })).status).toBe(400);
      }
      expect(app.store.names()).toEqual([]);
      expect(leadsTo(await app.open(link))).toBe('/in');
    });

    it('in the browser that requested it still shows both addresses if another user is signed in', async () => {
      const app = withCode();
      await app.open(await app.link(bob));
      const page = await app.open(await app.link(address));
      expect(page.status).toBe(200);
      expect(page.text()).toContain(`You are signed in as <strong><bdi>${bob}</bdi></strong>`);
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
    });

    it('with `confirm: true` shows the page in every browser, and names another user who is signed in', async () => {
      const app = withCode({}, { confirm: true });
      const first = await app.open(await app.link(bob));
      expect(first.status).toBe(200);
      await app.browser.submit(app.browser.form(first));
      const page = await app.open(await app.link(address));
      expect(page.text()).toContain(`You are signed in as <strong><bdi>${bob}</bdi></strong>`);
    });

    it('says when and where it was requested, in words of a fixed list', async () => {
      const app = withCode();
      const agent =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      await app.browser.post('/auth/signin/mail', { csrfToken, email: address }, { headers: { 'user-agent': agent } });
      expect(app.sent[0]?.asked).toEqual({ at: app.clock.now(), browser: 'Chrome', system: 'Windows' });
      app.clock.advance(120);
      const link = app.sent[0]?.url ?? '';
      expect((await app.visitor().open(link)).text()).toContain(
        'Requested 2\u00A0minutes\u00A0ago (Chrome on Windows).',
      );
      for (const asked of ['x', '1.<b>.Windows', `${'9'.repeat(20)}.Chrome.Windows`]) {
        expect((await app.visitor().open(changed(link, { asked }))).text()).not.toContain('Requested');
      }
      const unknown = await app.visitor().open(changed(link, { asked: '1.Your account.is locked' }));
      expect(unknown.text()).toMatch(/Requested [^<]*\u00A0ago\./);
    });
  });

  describe('that was used', () => {
    it.each([
      ['link', deletingStore],
      ['code', deletingStore],
    ] as const)('by its %s deletes the other tokens of the address, if the adapter can', async (by, makeStore) => {
      const app = withCode({}, {}, { store: makeStore() });
      await app.ask(address, {}, app.visitor());
      await app.ask(bob, {}, app.visitor());
      await app.ask(address);
      expect(app.store.tokens.size).toBe(6);
      expect(leadsTo(await (by === 'code' ? type(app, codeOf(app)) : app.open(app.sent[2]?.url ?? '')))).toBe('/in');
      expect([...app.store.tokens.values()].map(({ identifier }) => identifier)).toEqual([bob, bob]);
    });

    it('signs in although the other tokens cannot be deleted', async () => {
      const store = mailStore();
      Object.assign(store.adapter, { deleteVerificationTokens: () => Promise.reject(new Error('down')) });
      const app = withCode({}, {}, { store });
      expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
      expect(app.log.types()).toEqual(['AdapterError']);
    });

    it('leaves links of providers without the options alone', async () => {
      const app = mailScene(door, {}, { store: deletingStore() });
      const links = [await app.link(address), await app.link(address)];
      for (const link of links) expect(leadsTo(await app.open(link))).toBe('/in');
    });
  });
});
