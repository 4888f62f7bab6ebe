import { memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Nodemailer from '../../src/providers/nodemailer.ts';
import {
  addresses,
  BASE,
  changeAddress,
  changesSite,
  codeOf,
  linkOf,
  press,
  type Site,
  useMailbox,
} from './changes-scene.ts';
import { BOB, change, kinds, makeSite } from './scene.ts';

const ADA = 'ada@example.com';
const NEW = 'new@example.com';
const mail = useMailbox();

const ask = (app: Site, email: string = NEW) => app.post('account/email', { email });
const code = (app: Site, typed: string) => app.post('account/confirm', { code: typed });

/** Sends the form for a code several times at once, from copies of the browser. */
async function atOnce(app: Site, codes: readonly string[]): Promise<Page[]> {
  const csrfToken = await app.csrfToken();
  const browsers = codes.map((typed) => ({ typed, browser: app.browser.clone() }));
  return Promise.all(
    browsers.map(({ typed, browser }) => browser.post('/auth/account/confirm', { csrfToken, code: typed })),
  );
}

describe.each(kinds)('a new address (%s)', (kind) => {
  it('needs the code of the mail, and then is that of user and session', async () => {
    const app = changesSite(kind, mail);
    await app.signIn();
    const asked = await ask(app, ' New@Example.com ');
    expect(asked.redirect?.href).toBe(`${BASE}/confirm`);
    expect((await app.browser.follow(asked)).text()).toContain(
      `A link and a code were sent to <strong><bdi>${NEW}</bdi></strong>`,
    );
    expect(addresses(app)).toEqual([ADA]);
    const page = await code(app, codeOf(await mail.box.waitFor(NEW)));
    expect(page.redirect?.href).toBe(`${BASE}?done=email`);
    expect(app.adapter.dump().users).toMatchObject([{ email: NEW, emailVerified: expect.any(Date) }]);
    expect(await app.session()).toMatchObject({ user: { email: NEW } });
    expect(app.events.filter(([name]) => name === 'changeEmail')).toMatchObject([
      ['changeEmail', { from: ADA, to: NEW, user: { email: NEW } }],
    ]);
    expect(app.browser.cookies.all().map(({ name }) => name)).not.toContain('authjs.address');
  });

  it('or the link, whose page has one button', async () => {
    const app = changesSite(kind, mail);
    await app.signIn();
    await ask(app);
    const page = await app.open(linkOf(await mail.box.waitFor(NEW), 'confirm'));
    expect(page.text()).toContain(`your account has the address <strong><bdi>${NEW}</bdi></strong>`);
    expect(addresses(app)).toEqual([ADA]);
    expect((await press(app.browser, page)).redirect?.href).toBe(`${BASE}?done=email`);
    expect(addresses(app)).toEqual([NEW]);
    // Neither works twice.
    expect((await press(app.browser, page)).redirect?.href).toBe(`${BASE}?error=Verification`);
  });

  it('ends the other sessions, as far as they can be ended', async () => {
    const app = changesSite(kind, mail);
    const other = app.visitor();
    await app.signIn({ browser: other });
    await app.signIn();
    await changeAddress(app, mail.box, ADA, NEW);
    expect(await app.session()).not.toBeNull();
    expect((await app.session(other)) === null).toBe(kind !== 'jwt');
  });

  it('is confirmed also if the adapter cannot end all sessions of a user', async () => {
    const app = changesSite(kind, mail);
    Reflect.deleteProperty(app.adapter, 'deleteSessionsByUserId');
    await app.signIn();
    await changeAddress(app, mail.box, ADA, NEW);
    expect(await app.session()).toMatchObject({ user: { email: NEW } });
    expect(app.log.errors).toEqual([]);
  });

  it('is confirmed only by the user who asked, in the browser that asked', async () => {
    const app = changesSite(kind, mail);
    const elsewhere = app.visitor();
    await app.signIn();
    await app.signIn({ browser: elsewhere });
    await ask(app);
    const message = await mail.box.waitFor(NEW);
    // A copy of the cookie does not help: it is bound to the CSRF token of the browser that asked.
    elsewhere.cookies.set('authjs.address', app.browser.cookies.get('authjs.address')?.value ?? '');
    for (const browser of [elsewhere, app.visitor()]) {
      const page = await app.open(linkOf(message, 'confirm'), browser);
      expect(page.text()).toContain('This browser does not wait');
      expect(page.text()).not.toContain(NEW);
      const token = new URL(linkOf(message, 'confirm')).searchParams.get('token');
      for (const fields of [{ token }, { code: codeOf(message) }]) {
        expect((await app.post('account/confirm', fields, browser)).redirect?.href).toBe(`${BASE}?error=Verification`);
      }
    }
    // A subdomain could have set this session.
    const planted = app.browser.clone();
    planted.cookies.delete('authjs.browser');
    const refused = await app.post('account/confirm', { code: codeOf(message) }, planted);
    expect(refused.redirect?.href).toBe(`${BASE}?error=Verification`);
    await app.signOut();
    await app.signIn({ consent: BOB });
    expect((await code(app, codeOf(message))).redirect?.href).toBe(`${BASE}?error=Verification`);
    expect(app.log.errors.at(-1)?.message).toContain('no change of an address waits in this browser for this user');
    expect(addresses(app)).toEqual([ADA, 'bob@example.com']);
  });
});

describe('a new address', () => {
  it('of another user gets the same answer and the same number of mails', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn({ browser: app.visitor(), consent: BOB });
    await app.signIn();
    const answers: unknown[] = [];
    for (const email of ['bob@example.com', NEW]) {
      const before = app.adapter.calls.length;
      const page = await change(app, 'email', { email });
      const calls = app.adapter.calls.slice(before).map(({ method }) => method);
      const names = page.setCookies.map(({ name, value }) => [name, value.length > 100]);
      answers.push([page.status, page.json(), names, calls, mail.box.messages.length]);
      mail.box.clear();
      // A wrong code counts in both cases.
      expect((await code(app, '0000 0000')).redirect?.href).toBe(`${BASE}/confirm?error=Verification`);
    }
    expect(answers[0]).toEqual(answers[1]);
    await change(app, 'email', { email: 'bob@example.com' });
    const message = await mail.box.waitFor('bob@example.com');
    expect(message.subject).toBe('You already have an account at localhost:3000');
    expect(codeOf(message)).toBe('');
    expect(message.links.filter((link) => link.includes('/auth/'))).toEqual([]);
  });

  it('is open for five wrong codes, then it is over', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const right = codeOf(await mail.box.waitFor(NEW));
    const wrong = right === '0000 0000' ? '1111 1111' : '0000 0000';
    expect((await code(app, 'letters')).redirect?.href).toBe(`${BASE}/confirm?error=Verification`);
    const ofAnother = await app.post('account/confirm', { token: 'x' });
    expect(ofAnother.redirect?.href).toBe(`${BASE}/confirm?error=Verification`);
    for (let count = 0; count < 4; count++) {
      expect((await code(app, wrong)).redirect?.href).toBe(`${BASE}/confirm?error=Verification`);
    }
    expect((await code(app, wrong)).redirect?.href).toBe(`${BASE}?error=Verification`);
    expect(app.browser.cookies.has('authjs.address')).toBe(false);
    await code(app, right);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('compares at most five of the wrong codes that are typed at once', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const right = codeOf(await mail.box.waitFor(NEW));
    const wrong = right === '0000 0000' ? '1111 1111' : '0000 0000';
    await atOnce(app, Array(20).fill(wrong));
    const compared = app.log.errors.filter(({ message }) => message.startsWith('a wrong code'));
    expect(compared.length).toBeGreaterThan(0);
    expect(compared.length).toBeLessThan(5);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('does not count a code that is typed while another one is compared', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const right = codeOf(await mail.box.waitFor(NEW));
    const wrong = right === '0000 0000' ? '1111 1111' : '0000 0000';
    const waiting = app.browser.clone();
    await atOnce(app, Array(4).fill(wrong));
    expect((await app.post('account/confirm', { code: right }, waiting)).redirect?.href).toBe(`${BASE}?done=email`);
  });

  it('is confirmed by a script, too, which gets JSON', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    const refused = await change(app, 'confirm', { code: '0000 0000' });
    expect([refused.status, refused.json()]).toEqual([400, { error: 'Verification' }]);
    await ask(app);
    const page = await change(app, 'confirm', { code: codeOf(await mail.box.waitFor(NEW)) });
    expect([page.status, page.json()]).toEqual([200, { changed: true }]);
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(await app.session()).toMatchObject({ user: { email: NEW } });
  });

  it('has a page that tells a wrong code, that search engines leave out, and whose URL other sites do not get', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    const first = await app.browser.follow(await ask(app));
    expect(first.text()).not.toContain('role="alert"');
    expect(first.headers.get('x-robots-tag')).toBe('noindex');
    expect(first.headers.get('referrer-policy')).toBe('strict-origin');
    expect((await app.browser.follow(await code(app, 'letters'))).text()).toContain('role="alert"');
  });

  it('can be the first one of a user, who gets no notice at an address before', async () => {
    const app = changesSite('database with records', mail);
    const consent = { user: { sub: 'no-address', name: 'Ada' } };
    const other = app.visitor();
    await app.signIn({ browser: other, consent });
    await app.signIn({ consent });
    await ask(app);
    await code(app, codeOf(await mail.box.waitFor(NEW)));
    expect(app.adapter.dump().users).toMatchObject([{ email: NEW }]);
    expect([mail.box.messages.map(({ to }) => to), app.log.types()]).toEqual([[[NEW]], []]);
    expect(app.events.filter(([name]) => name === 'sessionEnded')).toMatchObject([
      ['sessionEnded', { reason: 'email' }],
    ]);
  });

  it('is refused if the store does not know until when it waits', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    for (const row of app.adapter.store.verificationTokens.values()) row.expires = new Date(Number.NaN);
    await change(app, 'confirm', { code: codeOf(await mail.box.waitFor(NEW)) });
    expect(app.log.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('the link or the code was used, or has expired'),
    ]);
    expect(addresses(app)).toEqual([ADA]);
  });

  it.each([
    '',
    'nobody',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    `${'x'.repeat(300)}@b.example`,
  ])('must be one plain address, which %j is not', async (email) => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    expect((await change(app, 'email', { email })).status).toBe(400);
    expect(mail.box.messages).toEqual([]);
  });

  it('is refused with a reason in the log', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    const reasons = async (fields: object): Promise<string | undefined> => {
      await change(app, 'confirm', fields);
      return app.log.errors.at(-1)?.message.split('. See')[0];
    };
    expect(await reasons({ code: '0000 0000' })).toBe('no change of an address waits in this browser for this user');
    await ask(app);
    const right = codeOf(await mail.box.waitFor(NEW));
    expect(await reasons({ token: 'x' })).toBe('the link belongs to another change');
    expect(await reasons({ code: 'letters' })).toBe('the typed text is not a code');
    const wrong = right === '0000 0000' ? '1111 1111' : '0000 0000';
    for (let count = 0; count < 4; count++) expect(await reasons({ code: wrong })).toBe('a wrong code');
    expect(await reasons({ code: wrong })).toBe('no attempt is left for this code');
    await change(app, 'email', { email: 'nobody' });
    expect(app.log.types()).toEqual(Array(8).fill('Verification'));
  });

  it('waits in a row of its own, of which the mail says nothing', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const token = new URL(linkOf(await mail.box.waitFor(NEW), 'confirm')).searchParams.get('token') ?? '';
    const rows = app.adapter.dump().verificationTokens;
    const row = rows.find(({ identifier }) => identifier.startsWith('latchkey:address:'));
    expect(row?.expires).toEqual(new Date(app.clock.now().getTime() + 3_600_000));
    expect(JSON.stringify(rows)).not.toContain(token);
    await code(app, codeOf(mail.box.messages[0] ?? expect.unreachable()));
    expect(app.adapter.dump().verificationTokens.map(({ identifier }) => identifier)).not.toContain(row?.identifier);
  });

  it.each([
    [undefined, 5],
    [false, 6],
  ] as const)('gets at most 5 mails in 15 minutes (`rateLimit`: %s)', async (rateLimit, most) => {
    const app = changesSite('jwt', mail, { config: { rateLimit } });
    await app.signIn();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await change(app, 'email', { email: NEW })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(most);
    expect(mail.box.messages).toHaveLength(most);
    expect((await change(app, 'email', { email: 'other@example.com' })).status).toBe(200);
  });

  it('has the form in which the email provider looks users up', async () => {
    const sent: string[] = [];
    const normalizeIdentifier = (typed: string): string => typed.replace(/\+[^@]*/, '');
    const app = makeSite('jwt', {}, ({ provider, mail: links }) => ({
      providers: [provider.provider(), { ...links, normalizeIdentifier }],
      mail: { send: async ({ to }) => void sent.push(to) },
    }));
    await app.signIn();
    await change(app, 'email', { email: 'new+tag@example.com' });
    expect(sent).toEqual([NEW]);
  });

  it('expires after an hour', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const link = linkOf(await mail.box.waitFor(NEW), 'confirm');
    app.clock.advance(3599);
    const page = await app.open(link);
    expect(page.text()).toContain(NEW);
    app.clock.advance(20);
    expect((await press(app.browser, page)).redirect?.href).toBe(`${BASE}?error=Verification`);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('needs a recent sign-in to be asked for, and a mail that can be sent', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    app.clock.advance(601);
    expect((await ask(app)).redirect?.pathname).toBe('/auth/account/sign-in');
    await app.browser.get('/auth/account/sign-in');
    await app.signIn();
    mail.box.faults.recipient = { refuse: 550 };
    try {
      expect((await change(app, 'email', { email: NEW })).json()).toEqual({ error: 'EmailSignin' });
      const page = await app.browser.follow(await ask(app));
      expect(page.text()).toContain('The email could not be sent, so nothing was changed');
    } finally {
      delete mail.box.faults.recipient;
    }
    expect(app.log.types()).toEqual(['RecentSignInRequired', 'EmailSignInError', 'EmailSignInError']);
    expect(app.log.errors.at(-1)).toMatchObject({
      message: expect.stringContaining('the mail to the new address could not be sent'),
      cause: { err: expect.any(Error) },
    });
  });

  it('is read by the `normalizeIdentifier` of the email provider, which may refuse it', async () => {
    const normalizeIdentifier = (address: string): string => {
      if (!address.endsWith('@example.com')) throw new Error('not an address of the company');
      return address.replace('new+tag', 'new');
    };
    const first = Nodemailer({ server: mail.box.server, from: 'accounts@example.com', normalizeIdentifier });
    const app = changesSite('jwt', mail, { first, withoutMail: true });
    await app.signIn();
    expect((await change(app, 'email', { email: 'eve@evil.example' })).json()).toEqual({ error: 'EmailSignin' });
    expect((await change(app, 'email', { email: 'new+tag@example.com' })).json()).toEqual({ sent: true });
    expect(mail.box.messages.map(({ to }) => to)).toEqual([[NEW]]);
  });

  it('is proven later than the address before, also if the clock of another server is ahead', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    const [user] = app.adapter.store.users.values();
    const ahead = Math.floor(app.clock.now().getTime() / 1000) * 1000 + 5000;
    await app.adapter.updateUser({ id: user?.id ?? '', emailVerified: new Date(ahead) });
    await changeAddress(app, mail.box, ADA, NEW);
    expect(app.adapter.dump().users).toMatchObject([{ email: NEW, emailVerified: new Date(ahead + 1000) }]);
  });

  it('cannot be asked for if nothing can send mails', async () => {
    const app = changesSite('jwt', mail, { account: { without: ['mails'] }, withoutMail: true });
    await app.signIn();
    expect((await change(app, 'email', { email: NEW })).status).toBe(500);
    expect(app.log.errors[0]?.message).toContain('Add a built-in email provider, or set `mail.send`');
    expect(app.adapter.dump().verificationTokens).toEqual([]);
  });

  it('does not change anything if it is the one that the user has', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    expect((await change(app, 'email', { email: 'ADA@example.com' })).json()).toEqual({ sent: false });
    expect(mail.box.messages).toEqual([]);
  });

  it('leaves the address before with a notice, also if the mail server fails', async () => {
    const app = changesSite('jwt', mail);
    await app.signIn();
    await ask(app);
    const message = await mail.box.waitFor(NEW);
    mail.box.faults.data = { refuse: 451 };
    try {
      expect((await code(app, codeOf(message))).redirect?.href).toBe(`${BASE}?done=email`);
    } finally {
      delete mail.box.faults.data;
    }
    expect(addresses(app)).toEqual([NEW]);
    expect(app.log.errors.map(({ message }) => message)).toEqual([expect.stringContaining('a notice about a change')]);
  });

  describe.each(['with `updateUserEmail`', 'without it'])('%s', (which) => {
    async function waiting(): Promise<{ app: Site; typed: string }> {
      const adapter = memoryAdapter();
      if (which === 'without it') Reflect.deleteProperty(adapter, 'updateUserEmail');
      const app = changesSite('database', mail, { adapter });
      await app.signIn();
      await ask(app);
      return { app, typed: codeOf(await mail.box.waitFor(NEW)) };
    }

    it('is that of the user, and proven', async () => {
      const { app, typed } = await waiting();
      expect((await code(app, typed)).redirect?.href).toBe(`${BASE}?done=email`);
      const [user] = app.adapter.dump().users;
      expect([user?.email, user?.emailVerified]).toEqual([
        NEW,
        new Date(Math.floor(app.clock.now().getTime() / 1000) * 1000),
      ]);
      expect(app.log.types()).toEqual([]);
    });

    it('is refused if another user has got it since', async () => {
      const { app, typed } = await waiting();
      await app.signIn({ browser: app.visitor(), consent: { user: { sub: 'first', email: NEW } } });
      expect((await code(app, typed)).redirect?.href).toBe(`${BASE}?error=Verification`);
      expect(app.log.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('the address was not changed: taken'),
      ]);
      expect(addresses(app)).toEqual([ADA, NEW]);
      expect(app.browser.cookies.has('authjs.address')).toBe(false);
    });

    it('is not changed if the store fails, which the log says', async () => {
      const { app, typed } = await waiting();
      app.adapter.fail(which === 'without it' ? 'updateUser' : 'updateUserEmail');
      expect((await code(app, typed)).redirect?.search).toMatch(/^\?error=Configuration/);
      expect([addresses(app), app.log.types()]).toEqual([[ADA], ['AdapterError']]);
    });

    it('is refused if the user has got yet another one since', async () => {
      const { app, typed } = await waiting();
      const [user] = app.adapter.store.users.values();
      await app.adapter.updateUser({ id: user?.id ?? '', email: 'third@example.com' });
      expect((await code(app, typed)).redirect?.href).toBe(`${BASE}?error=Verification`);
      expect(app.log.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('the address was not changed: stale'),
      ]);
      expect(addresses(app)).toEqual(['third@example.com']);
    });
  });

  it.each(['with `updateUserEmail`', 'without it'])('has one owner after 50 changes at once (%s)', async (which) => {
    const adapter = memoryAdapter({ latency: () => new Promise((done) => setImmediate(done)) });
    if (which === 'without it') Reflect.deleteProperty(adapter, 'updateUserEmail');
    const app = changesSite('database', mail, {
      adapter,
      config: { rateLimit: false, mail: { send: async ({ to, text }) => void sent.push([to, text]) } },
    });
    const sent: [to: string, text: string][] = [];
    const people = Array.from({ length: 50 }, (_, index) => ({ browser: app.visitor(), sub: `u${index}` }));
    for (const { browser, sub } of people) {
      await app.signIn({ browser, consent: { user: { sub, email: `${sub}@example.com` } } });
      await app.post('account/email', { email: NEW }, browser);
    }
    const codes = sent.map(([, text]) => /\b\d{4} \d{4}\b/.exec(text)?.[0]);
    await Promise.all(people.map(({ browser }, index) => app.post('account/confirm', { code: codes[index] }, browser)));
    expect(addresses(app).filter((one) => one === NEW)).toHaveLength(1);
    expect(app.log.types()).toEqual(Array(49).fill('Verification'));
    expect(new Set(addresses(app)).size).toBe(50);
  });
});
