import { describe, expect, it } from 'vitest';
import type { EmailConfig } from '../../src/providers/email.ts';
import { oneDoor } from './doors.ts';
import {
  address,
  codeOf,
  codeScene,
  mailCookie,
  nonAtomicStore,
  otherCode,
  over,
  type,
  waiting,
  wrong,
} from './email-code-scene.ts';
import { type MailScene, mailScene, mailStore, storedHash } from './email-scene.ts';
import { leadsTo, SECRET, startsSession } from './scene.ts';

describe.each(oneDoor)('a mail with a code through $name', (door) => {
  const withCode = codeScene(door);

  it.each(['jwt', 'database'] as const)('signs in by the code, once, and leads on (%s)', async (strategy) => {
    const app = withCode({ session: { strategy } });
    const page = await app.ask(address);
    expect(leadsTo(page)).toBe(waiting);
    expect(codeOf(app)).toMatch(/^\d{8}$/);
    const before = app.browser.clone();
    app.store.forget();
    const done = await type(app, codeOf(app));
    expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
    expect(await app.session()).toMatchObject({ user: { email: address } });
    expect([app.store.tokens.size, mailCookie(app)]).toEqual([0, undefined]);
    // The attempt and the link, once each.
    expect(app.store.names().filter((name) => name === 'useVerificationToken')).toHaveLength(2);
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

  it('is checked after four wrong codes, and not after five; the link goes with them', async () => {
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
  ] as const)('checks at most 5 of 200 wrong codes at once: %s', async (_, rateLimit, makeStore) => {
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

  it('is not checked without an attempt in the store; a store that fails to keep one leaves the link alone', async () => {
    const app = withCode();
    const link = await app.link(address);
    const create = app.store.adapter.createVerificationToken;
    app.store.adapter.createVerificationToken = () => Promise.reject(new Error('the store is down'));
    expect(leadsTo(await type(app, otherCode(app)))).toContain('error=Configuration');
    app.store.adapter.createVerificationToken = create;
    expect(leadsTo(await type(app, codeOf(app), app.browser.clone()))).toBe(over);
    const phone = app.visitor();
    expect(leadsTo(await phone.submit(phone.form(await phone.open(link))))).toBe('/in');
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

  it('has the reason in the log if it is refused', async () => {
    const app = withCode({ rateLimit: false });
    await type(app, '12345678');
    await app.ask(address);
    const copy = app.browser.clone();
    await type(app, 'ada');
    for (let step = 1; step <= 5; step++) await type(app, otherCode(app, step), copy.clone());
    await type(app, codeOf(app));
    expect(app.log.errors.map(({ message, cause }) => [message, cause])).toMatchObject([
      [expect.stringContaining('this browser does not wait for a code'), { provider: 'mail' }],
      [expect.stringContaining('the typed text is not a code'), { provider: 'mail' }],
      ...[4, 3, 2, 1, 0].map((left) => [expect.stringContaining('a wrong code'), { provider: 'mail', left }]),
      [expect.stringContaining('no attempt is left for this code'), { provider: 'mail' }],
    ]);
  });

  it('recognizes the browser without a code, too, by `confirm: "other-browser"`', async () => {
    const app = mailScene(door, {}, { provider: { confirm: 'other-browser' } });
    const link = await app.link(address);
    expect([app.sent[0]?.code, app.store.tokens.size]).toEqual([undefined, 1]);
    expect((await app.visitor().open(link)).status).toBe(200);
    const shown = await app.browser.get('/auth/verify-request?provider=mail');
    expect(shown.text()).toContain(`A sign-in link was sent to <strong><bdi>${address}</bdi></strong>`);
    expect(shown.text()).not.toContain('one-time-code');
    app.store.forget();
    expect(leadsTo(await app.open(link))).toBe('/in');
    // It does not look for attempts.
    expect(app.store.names().filter((name) => name === 'useVerificationToken')).toHaveLength(1);
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
    expect(long.log.errors[0]?.message).toContain('the token of a mailed link is too long for a cookie');
  });

  it('has a cookie that other hosts cannot plant', async () => {
    const app = withCode({}, {}, { origin: 'https://app.example' });
    await app.ask(address);
    expect(app.browser.cookies.all().map(({ name }) => name)).toContain('__Host-authjs.mail');
    expect(leadsTo(await type(app, codeOf(app)))).toBe('/in');
  });
});

describe('options of mails with codes', () => {
  const [door = expect.unreachable()] = oneDoor;

  it.each<[Partial<EmailConfig>, string]>([
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
