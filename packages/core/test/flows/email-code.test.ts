import { describe, expect, it } from 'vitest';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import {
  changed,
  type MailScene,
  type MailSceneOptions,
  type MailStore,
  mailScene,
  mailStore,
  storedHash,
} from './email-scene.ts';
import { leadsTo, SECRET, startsSession } from './scene.ts';

const address = 'ada@example.com';
const bob = 'bob@example.com';
const waiting = '/auth/verify-request?provider=mail&type=email&code=1';
const wrong = `${waiting}&error=Verification`;
const over = '/auth/verify-request?provider=mail&type=email&error=Verification';

type Provider = Partial<EmailConfig>;

/** A store whose adapter deletes all tokens of an address, as those of Latchkey do. */
function deletingStore(): MailStore {
  const store = mailStore();
  Object.assign(store.adapter, {
    deleteVerificationTokens: async ({ identifier }: { identifier: string }) => {
      for (const [key, row] of store.tokens) if (row.identifier === identifier) store.tokens.delete(key);
    },
  });
  return store;
}

describe.each(doors)('a mail with a code through $name', (door) => {
  const withCode = (
    config: Partial<AuthConfig> = {},
    provider: Provider = {},
    more: MailSceneOptions = {},
  ): MailScene => mailScene(door, config, { provider: { code: true, ...provider }, ...more });

  const codeOf = (app: MailScene): string => app.sent.at(-1)?.code ?? expect.unreachable();
  /** Another code than the one in the last mail. */
  const otherCode = (app: MailScene, step = 1): string => String((Number(codeOf(app)) + step) % 1e8).padStart(8, '0');
  const type = (app: MailScene, code: unknown, browser = app.browser) => app.post('code/mail', { code }, browser);
  const mailCookie = (app: MailScene) => app.browser.cookies.all().find(({ name }) => name === 'authjs.mail');

  it.each(['jwt', 'database'] as const)('signs in by the code, once, and leads on (%s)', async (strategy) => {
    const app = withCode({ session: { strategy } });
    const page = await app.ask(address);
    expect(leadsTo(page)).toBe(waiting);
    expect(codeOf(app)).toMatch(/^\d{8}$/);
    const before = app.browser.clone();
    const done = await type(app, codeOf(app));
    expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
    expect(await app.session()).toMatchObject({ user: { email: address } });
    expect([app.store.tokens.size, mailCookie(app)]).toEqual([0, undefined]);
    // A copy of the cookie is worth nothing now.
    expect(leadsTo(await type(app, codeOf(app), before))).toBe(over);
    expect(leadsTo(await app.open(app.sent[0]?.url ?? '', app.visitor()))).toBeUndefined();
  });

  it('is valid for 15 minutes, unless the application says otherwise; the factories’ default is that of a link', async () => {
    for (const [provider, seconds] of [
      [{}, 900],
      [{ maxAge: 60 }, 60],
      [{ maxAge: 86_400, options: { code: true } }, 900],
      [{ maxAge: 86_400, options: { code: true, maxAge: 86_400 } }, 86_400],
    ] as const) {
      const app = withCode({}, provider);
      await app.ask(address);
      expect(app.sent[0]?.expires).toEqual(new Date(app.clock.now().getTime() + seconds * 1000));
      expect(app.sent[0]?.provider.maxAge).toBe(seconds);
      expect(mailCookie(app)?.expires).toEqual(app.sent[0]?.expires);
    }
  });

  it('has its code in no row, and not the same code as another mail', async () => {
    const app = withCode();
    await app.ask(address);
    const code = codeOf(app);
    expect(JSON.stringify([...app.store.tokens.values()])).not.toContain(code);
    await app.ask(address, {}, app.visitor());
    expect(codeOf(app)).not.toBe(code);
  });

  it.each([' 1234-5678 ', '1234 5678', '１２３４５６７８'])('accepts a code typed as in %j', async (form) => {
    const app = withCode();
    await app.ask(address);
    const zero = form.includes('１') ? '０'.charCodeAt(0) : '0'.charCodeAt(0);
    const code = codeOf(app);
    const typed = form.replace(/[1-8１-８]/g, (place) =>
      String.fromCharCode(zero + Number(code[place.normalize('NFKC').charCodeAt(0) - '1'.charCodeAt(0)])),
    );
    expect(leadsTo(await type(app, typed))).toBe('/in');
  });

  it.each(['', '1234567', '123456789', '1234567a', 12345678, ['12345678'], undefined, ' '.repeat(100)])(
    'does not count %j as an attempt',
    async (typed) => {
      const app = withCode();
      await app.ask(address);
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      app.store.forget();
      for (let time = 0; time < 6; time++) {
        const page = await app.browser.post('/auth/code/mail', { csrfToken, code: typed }, { json: true });
        expect(leadsTo(page)).toBe(wrong);
      }
      expect(app.store.names()).not.toContain('useVerificationToken');
      expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
    },
  );

  it('is judged after four wrong codes, and not after five; the link goes with them', async () => {
    for (const tries of [4, 5]) {
      const app = withCode();
      const link = await app.link(address);
      for (let step = 1; step <= tries; step++) {
        const page = await type(app, otherCode(app, step));
        expect([leadsTo(page), startsSession(page)]).toEqual([step === 5 ? over : wrong, false]);
      }
      const page = await type(app, codeOf(app));
      expect(leadsTo(page)).toBe(tries === 4 ? '/in' : over);
      if (tries === 5) expect(app.store.tokens.size).toBe(0);
      const confirm = await app.open(link, app.visitor());
      expect(confirm.status).toBe(200);
    }
  });

  it('counts the attempts in the store, also with a copied cookie, and after a resend', async () => {
    const app = withCode({ rateLimit: false });
    await app.ask(address);
    const copy = app.browser.clone();
    for (let step = 1; step <= 3; step++) await type(app, otherCode(app, step), copy.clone());
    app.clock.advance(60);
    await app.post('signin/mail', {});
    expect(app.sent[1]?.code).toBe(app.sent[0]?.code);
    expect(leadsTo(await type(app, otherCode(app, 4)))).toBe(wrong);
    expect(leadsTo(await type(app, otherCode(app, 5), copy))).toBe(over);
    expect(leadsTo(await type(app, codeOf(app)))).toBe(over);
    expect(app.store.tokens.size).toBe(0);
  });

  it.each([
    ['an atomic store, without the rate limit', false, mailStore],
    ['the rate limit, in front of a store that is not atomic', undefined, nonAtomicStore],
    ['a store that is not atomic, although limits are disabled', false, nonAtomicStore],
  ] as const)('judges at most 5 of 200 wrong codes at once: %s', async (_, rateLimit, makeStore) => {
    const store = makeStore();
    const app = withCode(rateLimit === undefined ? {} : { rateLimit }, {}, { store });
    await app.ask(address);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const use = store.adapter.useVerificationToken;
    let attempts = 0;
    store.adapter.useVerificationToken = async (params) => {
      const row = (await use(params)) ?? null;
      if (row && row.token !== storedHash(app.sent[0]?.token ?? '', SECRET)) attempts++;
      return row;
    };
    const browsers = Array.from({ length: 200 }, () => app.browser.clone());
    const pages = await Promise.all(
      browsers.map((browser, step) => browser.post('/auth/code/mail', { csrfToken, code: otherCode(app, step + 1) })),
    );
    expect(pages.filter(startsSession)).toEqual([]);
    // Waiting would not help, so no answer is 429.
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([302]));
    expect(attempts).toBeGreaterThan(0);
    expect(attempts).toBeLessThanOrEqual(5);
  });

  it('signs in once if link and code are used at once', async () => {
    const app = withCode();
    const link = await app.link(address);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const twin = app.browser.clone();
    const pages = await Promise.all([app.open(link), twin.post('/auth/code/mail', { csrfToken, code: codeOf(app) })]);
    expect(pages.filter(startsSession)).toHaveLength(1);
    expect(app.store.sessions.size).toBe(1);
  });

  it.each([
    ['no cookie', (app: MailScene) => app.visitor()],
    ['the cookie of another provider', async (app: MailScene) => app.browser],
  ])('is refused with %s', async (what, browserFor) => {
    const other: EmailConfig = {
      ...{ id: 'other', name: 'Other', type: 'email' },
      sendVerificationRequest: () => undefined,
    };
    const app = withCode({ providers: [{ ...other, code: true }] });
    await app.ask(address);
    const browser = await browserFor(app);
    const id = what === 'no cookie' ? 'mail' : 'other';
    const page = await app.post(`code/${id}`, { code: codeOf(app) }, browser);
    expect([leadsTo(page), startsSession(page)]).toEqual([over.replace('=mail', `=${id}`), false]);
    expect(app.log.types()).toEqual(['Verification']);
    expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
  });

  it('is refused if its link was used, although the store still has an attempt', async () => {
    const app = withCode();
    await app.ask(address);
    const [token] = app.store.tokens.keys();
    app.store.tokens.delete(token ?? '');
    const page = await type(app, codeOf(app));
    expect([leadsTo(page), startsSession(page), app.log.types()]).toEqual([over, false, ['Verification']]);
  });

  it('is refused after its expiry, and without the CSRF token', async () => {
    const app = withCode();
    await app.ask(address);
    expect(leadsTo(await app.browser.post('/auth/code/mail', { code: codeOf(app) }))).toBe(
      '/auth/signin?error=MissingCSRF',
    );
    const copy = app.browser.clone();
    app.clock.advance(900.001);
    expect(leadsTo(await type(app, codeOf(app), copy))).toBe(over);
  });

  it('tells scripts the code of the error, and throws in raw mode', async () => {
    const app = withCode();
    await app.ask(address);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post(
      '/auth/code/mail',
      { csrfToken, code: otherCode(app) },
      { headers: { 'x-auth-return-redirect': '1' } },
    );
    expect([page.status, page.json<{ url: string }>().url]).toEqual([200, `http://localhost:3000${wrong}`]);
    const raw = withCode({}, {}, { call: { raw: true } });
    await raw.ask(address);
    await expect(type(raw, otherCode(raw))).rejects.toMatchObject({ type: 'Verification', cause: { left: 4 } });
    expect(raw.log.types()).toEqual(['Verification']);
  });

  it.each([
    ['and no more', {}, [429, 101]],
    ['and all others if limits are disabled', { rateLimit: false }, [302, 105]],
  ] as const)('answers 100 attempts of one network in 15 minutes, %s', async (_, config, expected) => {
    const app = withCode(config, {}, { call: { clientAddress: '192.0.2.1' } });
    let status = 0;
    let tries = 0;
    for (let mail = 0; mail < 21 && status !== 429; mail++) {
      const visitor = app.visitor();
      await app.ask(`ada${mail}@example.com`, {}, visitor);
      for (let step = 1; step <= 5 && status !== 429; step++) {
        ({ status } = await type(app, otherCode(app, step), visitor));
        tries++;
      }
    }
    expect([status, tries]).toEqual(expected);
  });

  it('ends like a link if the `signIn` callback refuses: link and code are spent', async () => {
    const app = withCode({ callbacks: { signIn: ({ email }) => email?.verificationRequest === true } });
    await app.ask(address);
    expect(leadsTo(await type(app, codeOf(app)))).toBe('/auth/error?error=AccessDenied');
    expect([app.store.tokens.size, mailCookie(app)]).toEqual([0, undefined]);
  });

  it('leads to the callback URL of the form that posts the code, if it has one', async () => {
    const app = withCode();
    await app.ask(address);
    expect(leadsTo(await app.post('code/mail', { code: codeOf(app), callbackUrl: '/there' }))).toBe('/there');
  });

  it('is refused for a provider that mails no codes', async () => {
    const app = mailScene(door);
    await app.ask(address);
    expect(mailCookie(app)).toBeUndefined();
    expect(leadsTo(await type(app, '12345678'))).toBe(
      '/auth/verify-request?provider=mail&type=email&error=Verification',
    );
  });

  it('keeps token and code out of the log', async () => {
    const app = withCode();
    await app.ask(address);
    await type(app, otherCode(app));
    await type(app, codeOf(app));
    const logged = JSON.stringify([app.log.debugged, app.log.errors.map((error) => [error.message, error.cause])]);
    expect(logged).not.toContain(codeOf(app));
    expect(logged).not.toContain(app.sent[0]?.token);
  });

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
      expect(page.text()).toContain(`You are signed in as <strong>${bob}</strong>`);
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
    });

    it('with `confirm: true` shows the page in every browser, and names another user who is signed in', async () => {
      const app = withCode({}, { confirm: true });
      const first = await app.open(await app.link(bob));
      expect(first.status).toBe(200);
      await app.browser.submit(app.browser.form(first));
      const page = await app.open(await app.link(address));
      expect(page.text()).toContain(`You are signed in as <strong>${bob}</strong>`);
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
      expect((await app.visitor().open(link)).text()).toContain('Requested 2\u00A0minutes ago in Chrome on Windows.');
      for (const asked of ['x', '1.<b>.Windows', `${'9'.repeat(20)}.Chrome.Windows`]) {
        expect((await app.visitor().open(changed(link, { asked }))).text()).not.toContain('Requested');
      }
      const unknown = await app.visitor().open(changed(link, { asked: '1.Your account.is locked' }));
      expect(unknown.text()).toMatch(/Requested [^<]* ago\./);
    });
  });

  describe('that is requested again', () => {
    const again = (app: MailScene, browser = app.browser) => app.post('signin/mail', {}, browser);

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
      await again(withoutCode);
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
      app.clock.advance(450.001);
      await again(app);
      expect(app.sent[1]?.token).not.toBe(app.sent[0]?.token);
      expect(app.sent[1]?.code).not.toBe(app.sent[0]?.code);
      // Used on another device.
      const phone = app.visitor();
      await phone.submit(phone.form(await phone.open(app.sent[1]?.url ?? '')));
      app.clock.advance(60);
      await again(app);
      expect(app.sent[2]?.token).not.toBe(app.sent[1]?.token);
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
      expect(shown.text()).toContain(`<strong>${address}</strong>`);
      expect(shown.text()).toContain('in 42\u00A0seconds');
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
      expect(leadsTo(await app.browser.submit(app.browser.form(shown)))).toBe(waiting);
    });

    it('names no address in another browser, or with another provider', async () => {
      const app = withCode();
      await app.ask(address);
      expect((await app.visitor().get('/auth/verify-request?provider=mail')).text()).not.toContain(address);
      expect((await page(app, 'provider=other')).text()).not.toContain(address);
    });

    it.each([
      ['Ada+News@Example.com', (typed: string) => typed.replace(/\+[^@]*/, ''), 'A…@E….com'],
      ['ada', () => 'ada@mail.example.co', 'a…@m….co'],
      ['ada', () => 'ada@localhost', 'a…@l…'],
      ['0', () => '+44207946', '+…'],
      ['ADA@Example.com', (typed: string) => typed.toLowerCase(), 'ada@example.com'],
    ])('masks an address that the application has changed: %s', async (typed, normalizeIdentifier, shown) => {
      const app = withCode({}, { normalizeIdentifier });
      await app.ask(typed);
      expect((await page(app)).text()).toContain(`<strong>${shown}</strong>`);
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
      expect((await app.browser.get('/auth/code')).json()).toEqual(status);
      expect((await app.visitor().get('/auth/code/mail')).json()).toBeNull();
      expect(app.store.names()).toEqual([]);
    });
  });

  it('recognizes the browser without a code, too, by `confirm: "other-browser"`', async () => {
    const app = mailScene(door, {}, { provider: { confirm: 'other-browser' } });
    const link = await app.link(address);
    expect([app.sent[0]?.code, app.store.tokens.size]).toEqual([undefined, 1]);
    expect((await app.visitor().open(link)).status).toBe(200);
    const shown = await app.browser.get('/auth/verify-request?provider=mail');
    expect(shown.text()).toContain(`A sign-in link has been sent to <strong>${address}</strong>`);
    expect(shown.text()).not.toContain('one-time-code');
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('leaves out the return URL if the cookie would be too long, and refuses a token that is', async () => {
    const app = withCode();
    await app.ask(address, { callbackUrl: `/${'x'.repeat(2000)}` });
    const { name = '', value = '' } = mailCookie(app) ?? {};
    expect(name.length + value.length).toBeLessThanOrEqual(3800);
    expect(leadsTo(await type(app, codeOf(app)))).toContain('/xxx');
    const long = withCode({}, { generateVerificationToken: () => 'x'.repeat(3000) });
    expect(leadsTo(await long.ask(address))).toContain('error=Configuration');
    expect(long.sent).toEqual([]);
  });

  it('has a cookie that other hosts cannot plant', async () => {
    const app = withCode({}, {}, { origin: 'https://app.example' });
    await app.ask(address);
    expect(app.browser.cookies.all().map(({ name }) => name)).toContain('__Host-authjs.mail');
    expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
  });
});

/** Reads a row and deletes it in two steps, as some community adapters do. */
function nonAtomicStore(): MailStore {
  const store = mailStore();
  store.adapter.useVerificationToken = async ({ identifier, token }) => {
    const found = [...store.tokens].find(([, row]) => row.identifier === identifier && row.token === token);
    await new Promise((resolve) => setImmediate(resolve));
    if (!found) return null;
    store.tokens.delete(found[0]);
    return found[1];
  };
  return store;
}

describe('options of mails with codes', () => {
  const [door = expect.unreachable()] = doors;

  it.each<[Provider, string]>([
    [{ code: 'yes' as never }, '`code` must be true or false'],
    [{ confirm: 'always' as never }, '`confirm` must be true, false or "other-browser"'],
    [
      { code: true, confirm: false },
      '`confirm: false` cannot be combined with `code: true`. Remove `confirm`, or set it to `true`',
    ],
  ])('%o are a problem of the configuration', async (provider, message) => {
    const app = mailScene(door, {}, { provider });
    expect(leadsTo(await app.ask(address))).toContain('error=Configuration');
    expect(app.log.errors.map((error) => error.message)).toEqual([expect.stringContaining(message)]);
  });

  it.each([21, 22])('need tokens of 22 characters: %i', async (length) => {
    const provider = { code: true, generateVerificationToken: () => 'x'.repeat(length) };
    const app = mailScene(door, {}, { provider });
    const page = await app.ask(address);
    expect(app.sent).toHaveLength(length === 22 ? 1 : 0);
    if (length === 22) return expect(leadsTo(page)).toBe(waiting);
    expect(leadsTo(page)).toContain('error=Configuration');
    expect(app.log.errors[0]?.message).toContain(
      'provider "mail": `generateVerificationToken` must return at least 22 characters when `code` is true',
    );
  });

  it.each([
    [15, 900, {}],
    [16, 86_400, {}],
    [15, 60, { maxAge: 60 }],
  ])('tokens of %i characters are valid for %i seconds', async (length, seconds, options) => {
    const app = mailScene(door, {}, { provider: { ...options, generateVerificationToken: () => 'x'.repeat(length) } });
    await app.ask(address);
    expect(app.sent[0]?.expires).toEqual(new Date(app.clock.now().getTime() + seconds * 1000));
    expect([...app.store.tokens.values()][0]?.expires).toEqual(app.sent[0]?.expires);
  });
});
