import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { address, again, bob, codeOf, codeScene, otherCode, type, waiting, wrong } from './email-code-scene.ts';
import { type MailScene, mailScene } from './email-scene.ts';
import { leadsTo, startsSession } from './scene.ts';

describe.each(oneDoor)('a mail with a code through $name', (door) => {
  const withCode = codeScene(door);

  describe('that is requested again', () => {
    it('within 60 seconds in this browser is not sent', async () => {
      const app = withCode();
      await app.ask(address);
      app.clock.advance(59.999);
      app.store.forget();
      expect([leadsTo(await again(app)), leadsTo(await app.ask(address))]).toEqual([waiting, waiting]);
      expect([app.sent.length, app.store.names()]).toEqual([1, []]);
      await app.ask(bob);
      expect(app.sent[1]?.identifier).toBe(bob);
      const withoutCode = withCode({}, { code: false, confirm: true });
      await withoutCode.ask(address);
      expect(leadsTo(await again(withoutCode))).toBe('/auth/verify-request?provider=mail&type=email');
      withoutCode.clock.advance(60);
      withoutCode.store.forget();
      await again(withoutCode);
      // It takes no attempt.
      expect(withoutCode.store.names()).toEqual(['getUserByEmail', 'useVerificationToken', 'createVerificationToken']);
      expect(withoutCode.sent[1]?.token).toBe(withoutCode.sent[0]?.token);
    });

    it.each([
      ['the first link', 0],
      ['the second link', 1],
      ['the code', undefined],
    ])('has the same link and code while they are unused, and both mails work: %s', async (_, index) => {
      const app = withCode();
      await app.ask(address);
      app.clock.advance(60);
      expect(leadsTo(await again(app))).toBe(waiting);
      const [first, second] = app.sent;
      expect([second?.token, second?.code, second?.expires]).toEqual([first?.token, first?.code, first?.expires]);
      expect(app.store.tokens.size).toBe(2);
      const done = index === undefined ? await type(app, codeOf(app)) : await app.open(app.sent[index]?.url ?? '');
      expect(leadsTo(done)).toBe('/in');
    });

    it('has a new link and code if less than half of their time is left, or if they were used', async () => {
      const app = withCode();
      await app.ask(address);
      app.clock.advance(450);
      await again(app);
      expect(app.sent[1]?.token).toBe(app.sent[0]?.token);
      app.clock.advance(60);
      await again(app);
      expect(app.sent[2]?.token).not.toBe(app.sent[0]?.token);
      expect(app.sent[2]?.code).not.toBe(app.sent[0]?.code);
      // Used on another device.
      const phone = app.visitor();
      await phone.submit(phone.form(await phone.open(app.sent[2]?.url ?? '')));
      app.clock.advance(60);
      await again(app);
      expect(app.sent[3]?.token).not.toBe(app.sent[2]?.token);
      expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
    });

    it('has a new link and code after five wrong codes, at once', async () => {
      const app = withCode();
      await app.ask(address);
      for (let step = 1; step <= 5; step++) await type(app, otherCode(app, step));
      expect(leadsTo(await again(app))).toBe(waiting);
      expect(app.sent[1]?.token).not.toBe(app.sent[0]?.token);
      expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
    });

    it('has a new link if no attempt is left, and the old one is spent', async () => {
      const app = withCode();
      const link = await app.link(address);
      const [token, attempt] = [...app.store.tokens.keys()];
      expect(token).toBeDefined();
      app.store.tokens.delete(attempt ?? '');
      app.clock.advance(60);
      await again(app);
      expect(app.sent[1]?.token).not.toBe(app.sent[0]?.token);
      const phone = app.visitor();
      expect(leadsTo(await phone.submit(phone.form(await phone.open(link))))).toBe('/auth/error?error=Verification');
    });

    it('keeps its link if the store fails before the attempts are stored again', async () => {
      const app = withCode();
      const link = await app.link(address);
      app.clock.advance(60);
      const create = app.store.adapter.createVerificationToken;
      let calls = 0;
      app.store.adapter.createVerificationToken = async (row) => {
        if (++calls === 2) throw new Error('the store is down');
        return create(row);
      };
      expect(leadsTo(await again(app))).toMatch(/^\/auth\/error\?error=Configuration/);
      expect([calls, leadsTo(await app.open(link))]).toEqual([2, '/in']);
    });

    it('while its link is used, signs in once with this link', async () => {
      const app = withCode();
      const link = await app.link(address);
      app.clock.advance(60);
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const twin = app.browser.clone();
      const [, opened] = await Promise.all([
        app.browser.post('/auth/signin/mail', { csrfToken }),
        app.open(link, twin),
      ]);
      const later = await app.open(link);
      expect([opened, later].filter(startsSession).length).toBeLessThanOrEqual(1);
      expect([leadsTo(opened), leadsTo(later)].filter((to) => to === '/in').length).toBeLessThanOrEqual(1);
    });

    it.each([
      ['with one if', { confirm: true }, { code: true }],
      ['without one if', { code: true }, { confirm: true }],
    ])('has a new link, %s the provider now mails codes that way', async (_, before, now) => {
      const first = mailScene(door, {}, { provider: before });
      await first.ask(address);
      const app = mailScene(door, {}, { provider: now, store: first.store });
      for (const { name, value } of first.browser.cookies.all()) app.browser.cookies.set(name, value);
      app.clock.advance(60);
      await again(app);
      expect(app.sent[0]?.token).not.toBe(first.sent[0]?.token);
      expect(app.sent[0]?.code !== undefined).toBe('code' in now);
    });

    it('leads where the form says, if it does', async () => {
      const app = withCode();
      await app.ask(address, { callbackUrl: '/first' });
      app.clock.advance(60);
      await app.post('signin/mail', { callbackUrl: '/second' });
      expect(leadsTo(await type(app, codeOf(app)))).toBe('/second');
    });

    it('keeps where the visitor goes', async () => {
      const app = withCode();
      await app.ask(address, { callbackUrl: '/first' });
      await app.browser.get('/auth/signin?callbackUrl=/second');
      app.clock.advance(60);
      await again(app);
      expect(new URL(app.sent[1]?.url ?? '').searchParams.get('callbackUrl')).toBe('http://localhost:3000/first');
      expect(leadsTo(await type(app, codeOf(app)))).toBe('/first');
    });

    it('counts for the limit of mails, and asks the `signIn` callback', async () => {
      let asked = 0;
      const app = withCode({ callbacks: { signIn: () => ++asked < 100 } });
      await app.ask(address);
      for (let time = 0; time < 5; time++) {
        app.clock.advance(60);
        await again(app);
      }
      expect([app.sent.length, asked]).toEqual([5, 5]);
    });

    it('needs an address if this browser has no pending mail', async () => {
      const app = withCode();
      expect(leadsTo(await again(app))).toBe('/auth/signin?error=EmailSignin');
    });
  });

  describe('the page after the request', () => {
    const page = async (app: MailScene, query = 'provider=mail&type=email&code=1') =>
      app.browser.get(`/auth/verify-request?${query}`);

    it('names the address, asks for the code, and sends again', async () => {
      const app = withCode();
      await app.ask(address);
      app.clock.advance(18);
      app.store.forget();
      const shown = await page(app);
      expect(app.store.names()).toEqual([]);
      expect(shown.text()).toContain(`<strong><bdi>${address}</bdi></strong>`);
      expect(shown.text()).toContain('>in\u00A042\u00A0seconds</span>');
      expect(shown.text()).toContain('autocomplete="one-time-code"');
      expect(shown.text()).toContain('href="http://localhost:3000/auth/signin">Use another address</a>');
      expect(shown.headers.get('x-robots-tag')).toBe('noindex');
      const field = app.browser.form(shown, 'http://localhost:3000/auth/code/mail');
      expect(leadsTo(await app.browser.submit(field, { code: otherCode(app) }))).toBe(wrong);
      expect((await page(app, 'provider=mail&error=Verification')).text()).toContain('This is not the code');
      app.clock.advance(60);
      const resend = app.browser.form(await page(app), 'http://localhost:3000/auth/signin/mail');
      expect(leadsTo(await app.browser.submit(resend))).toBe(waiting);
      expect(app.sent).toHaveLength(2);
    });

    it('offers a new mail after the last wrong code', async () => {
      const app = withCode();
      await app.ask(address);
      for (let step = 1; step <= 5; step++) await type(app, otherCode(app, step));
      const shown = await page(app, 'provider=mail&type=email&error=Verification');
      expect(shown.text()).toContain('The code is no longer valid.');
      expect(shown.text()).not.toContain('one-time-code');
      // Also if the page is opened again.
      expect((await page(app, 'provider=mail')).text()).toContain('The code is no longer valid.');
      const status = { code: false, resendAt: app.clock.now().toISOString() };
      expect((await app.browser.get('/auth/code/mail')).json()).toMatchObject(status);
      expect(leadsTo(await app.browser.submit(app.browser.form(shown)))).toBe(waiting);
    });

    it('names no address in another browser, or with another provider', async () => {
      const app = withCode();
      await app.ask(address);
      for (const [query, text] of [
        ['provider=mail', 'A sign-in link was sent to your email address.'],
        ['provider=mail&code=1', 'This browser does not wait for a code any more.'],
      ]) {
        const shown = (await app.visitor().get(`/auth/verify-request?${query}`)).text();
        expect(shown).toContain(text);
        expect(shown).not.toContain(address);
      }
      expect((await page(app, 'provider=other')).text()).not.toContain(address);
    });

    it.each([
      ['Ada+News@Example.com', (typed: string) => typed.replace(/\+[^@]*/, ''), 'A…@E….com'],
      ['ada', () => 'ada@mail.example.co', 'a…@m….co'],
      ['ada', () => 'ada@localhost', 'a…@l…'],
      ['0', () => '+44207946', '+…'],
      ['ADA@Example.com', (typed: string) => typed.toLowerCase(), 'ada@example.com'],
      [' ada@example.com ', (typed: string) => typed.trim().toUpperCase(), 'ADA@EXAMPLE.COM'],
      ['ａda@example.com', undefined, 'ada@example.com'],
    ])('masks an address that the application has changed: %s', async (typed, normalizeIdentifier, shown) => {
      const app = withCode({}, { normalizeIdentifier });
      await app.ask(typed);
      expect((await page(app)).text()).toContain(`<strong><bdi>${shown}</bdi></strong>`);
      expect((await app.browser.get('/auth/code/mail')).json()).toMatchObject({ email: shown });
    });

    it('of the application gets the facts in its URL, and as JSON', async () => {
      const app = withCode({ pages: { verifyRequest: '/look' } });
      const request = await app.ask(address);
      expect(leadsTo(await app.browser.follow(request))).toBe('/look?provider=mail&type=email&code=1');
      const wrongCode = await app.browser.follow(await type(app, otherCode(app)));
      expect(leadsTo(wrongCode)).toBe('/look?provider=mail&type=email&code=1&error=Verification');
      const at = (seconds: number): string => new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
      const status = { email: address, code: true, sentAt: at(0), resendAt: at(60), expires: at(900) };
      app.store.forget();
      expect((await app.browser.get('/auth/code/mail')).json()).toEqual(status);
      expect((await app.browser.get('/auth/code/other')).json()).toBeNull();
      const any = await app.browser.get('/auth/code');
      expect([any.json(), any.headers.get('content-type')]).toEqual([status, 'application/json']);
      expect((await app.visitor().get('/auth/code/mail')).json()).toBeNull();
      expect(app.store.names()).toEqual([]);
    });
  });
});
