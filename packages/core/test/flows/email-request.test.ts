import { describe, expect, it } from 'vitest';
import { AuthError, EmailSignInError } from '../../src/errors.ts';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { AdapterUser } from '../../src/types/adapter.ts';
import type { SignInCallbackParams } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { type MailScene, mailScene, mailStore, type Sent, storedHash } from './email-scene.ts';
import { expectConfiguration, expectRefused, leadsTo, SECRET } from './scene.ts';

const address = 'ada@example.com';
const verifyRequest = '/auth/verify-request?provider=mail&type=email';

describe.each(oneDoor)('asking for a sign-in mail through $name', (door) => {
  it('gives the provider everything that it needs', async () => {
    const theme = { colorScheme: 'auto', logo: '', brandColor: '#ffd700', buttonText: '' } as const;
    const app = mailScene(door, { theme: { brandColor: '#ffd700', logo: undefined } });
    await app.ask(' ADA@Example.COM ', { callbackUrl: '/in?x=1&y=2', note: 'hello' });
    const [mail] = app.sent;
    expect(Object.keys(mail ?? {}).sort()).toEqual(
      ['asked', 'expires', 'identifier', 'language', 'provider', 'request', 'theme', 'token', 'url'].sort(),
    );
    expect(mail).toMatchObject({ identifier: address, provider: { id: 'mail', type: 'email' } });
    expect(mail?.theme).toEqual(theme);
    expect(mail?.token).toMatch(/^[\da-f]{64}$/);
    expect(mail?.expires).toEqual(new Date(app.clock.now().getTime() + 86_400_000));
    const browser = new URL(mail?.url ?? '').searchParams.get('browser') ?? '';
    expect(browser).toMatch(/^[\w-]{43}$/);
    expect(mail?.url).toBe(
      `http://localhost:3000/auth/callback/mail?${new URLSearchParams({
        callbackUrl: 'http://localhost:3000/in?x=1&y=2',
        browser,
        token: mail?.token ?? '',
        email: address,
      })}`,
    );
  });

  it('gives the provider the request, with its fields as JSON', async () => {
    const app = mailScene(door);
    await app.browser.get('/auth/csrf');
    await app.ask(address, { note: 'hello' });
    const { request } = app.sent[0] ?? expect.unreachable();
    expect(request).toBeInstanceOf(Request);
    expect(request.method).toBe('POST');
    expect(request.url).toBe('http://localhost:3000/auth/signin/mail');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(request.headers.get('cookie')).toContain('authjs.csrf-token=');
    expect(await request.json()).toEqual({
      csrfToken: expect.any(String),
      email: address,
      callbackUrl: '/in',
      note: 'hello',
    });
  });

  it('stores the hash of token and secret before the mail is sent', async () => {
    const stored: number[] = [];
    const app: MailScene = mailScene(
      door,
      {},
      {
        provider: { sendVerificationRequest: () => void stored.push(app.store.tokens.size) },
      },
    );
    await app.ask(address);
    expect(stored).toEqual([1]);

    const plain = mailScene(door);
    await plain.ask(address);
    const token = plain.sent[0]?.token ?? '';
    expect([...plain.store.tokens.values()]).toEqual([
      { identifier: address, token: storedHash(token, SECRET), expires: plain.sent[0]?.expires },
    ]);
    expect(JSON.stringify([...plain.store.tokens])).not.toContain(token);
  });

  it('sends no mail if the token cannot be stored', async () => {
    const app = mailScene(door);
    app.store.adapter.fail('createVerificationToken', 'before');
    expectConfiguration(app, await app.ask(address));
    expect(app.log.types()).toEqual(['AdapterError']);
    expect(app.sent).toEqual([]);
    expect(leadsTo(await app.ask(address))).toBe(verifyRequest);
  });

  it('calls no callback and sends no mail if the store cannot look up the address', async () => {
    const asked: unknown[] = [];
    const app = mailScene(door, { callbacks: { signIn: (params) => asked.push(params) > 0 } });
    app.store.adapter.fail('getUserByEmail', 'before');
    expectConfiguration(app, await app.ask(address));
    expect(asked).toEqual([]);
    expect(app.sent).toEqual([]);
  });

  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  it.each<[string, EmailConfig['sendVerificationRequest']]>([
    [
      'throws',
      () => {
        throw new Error('the mail server said no');
      },
    ],
    ['rejects at once', () => Promise.reject(new Error('the mail server said no'))],
    ['rejects later', () => later().then(() => Promise.reject(new Error('the mail server said no')))],
    ['rejects with undefined', () => Promise.reject()],
    ['throws a text', () => Promise.reject('the mail server said no')],
  ])('shows EmailSignin if the provider %s, and the process continues', async (_, sendVerificationRequest) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const app = mailScene(door, {}, { provider: { sendVerificationRequest } });
      const page = await app.ask(address);
      expectRefused(app, page, 'EmailSignin');
      expect((await app.browser.follow(page)).text()).not.toContain('said no');
      expect(app.log.types()).toEqual(['EmailSignInError']);
      expect(app.log.errors[0]?.cause).toMatchObject({ err: expect.any(Error), provider: 'mail' });
      await later();
    } finally {
      process.off('unhandledRejection', listen);
    }
    expect(unhandled).toEqual([]);
  });

  it('passes on an AuthError of the provider', async () => {
    class TooMany extends EmailSignInError {
      static override shown = 'TooManyMails';
    }
    const app = mailScene(
      door,
      {},
      { provider: { sendVerificationRequest: () => Promise.reject(new TooMany('slow down')) } },
    );
    expectRefused(app, await app.ask(address), 'TooManyMails');
  });

  it('calls the signIn callback first, with verificationRequest', async () => {
    const asked: SignInCallbackParams[] = [];
    const app = mailScene(door, {
      callbacks: {
        signIn: (params) => {
          asked.push(params);
          return true;
        },
      },
    });
    const link = await app.link(address);
    const user = { id: expect.any(String), email: address, emailVerified: null };
    const account = { providerAccountId: address, userId: asked[0]?.user.id, type: 'email', provider: 'mail' };
    expect(asked).toEqual([{ user, account, email: { verificationRequest: true } }]);
    await app.open(link);
    expect(asked.slice(1)).toEqual([{ user, account: { ...account, userId: asked[1]?.user.id } }]);

    asked.length = 0;
    const [known] = app.store.users.values();
    await app.open(await app.link(address));
    expect(asked).toEqual([
      { user: known, account: { ...account, userId: known?.id }, email: { verificationRequest: true } },
      { user: known, account: { ...account, userId: known?.id } },
    ]);
  });

  it.each([
    ['false', () => false],
    ['an exception', () => Promise.reject(new Error('secret reason'))],
  ])('stores nothing and sends no mail if the callback returns %s', async (_, signIn) => {
    const app = mailScene(door, { callbacks: { signIn } });
    expect(leadsTo(await app.ask(address))).toBe('/auth/error?error=AccessDenied');
    expect(app.store.tokens.size).toBe(0);
    expect(app.sent).toEqual([]);
  });

  it('redirects to where the callback says, and not to another site', async () => {
    const answers = ['/wait', 'https://evil.example/'];
    const app = mailScene(door, { callbacks: { signIn: () => answers.shift() ?? true } });
    expect(leadsTo(await app.ask(address))).toBe('/wait');
    expect((await app.ask(address)).location).toBe('http://localhost:3000');
    expect(app.sent).toEqual([]);
    expect(leadsTo(await app.ask(address))).toBe(verifyRequest);
  });

  it('asks the callback again when the link is used, and the link is spent if it refuses or redirects', async () => {
    for (const [answer, target] of [
      [false, '/auth/error?error=AccessDenied'],
      ['/wait', '/wait'],
    ] as const) {
      const app = mailScene(door, {
        callbacks: { signIn: ({ email }) => email?.verificationRequest === true || answer },
      });
      const link = await app.link(address);
      const page = await app.open(link);
      expect(leadsTo(page)).toBe(target);
      expect(await app.session()).toBeNull();
      expect(app.store.users.size).toBe(0);
      expect(app.told).toEqual([]);
      expect(leadsTo(await app.open(link))).toBe('/auth/error?error=Verification');
    }
  });

  it('gives the same answer whether or not the address is known', async () => {
    const app = mailScene(door);
    app.store.users.set('u1', { id: 'u1', email: address, emailVerified: new Date(0) });
    const seen = [];
    for (const email of [address, 'unknown@example.com']) {
      const visitor = app.visitor();
      const page = await app.ask(email, {}, visitor);
      const { text } = await visitor.follow(page);
      seen.push([
        page.status,
        page.location,
        page.text(),
        text(),
        [...page.headers].filter(([name]) => name !== 'set-cookie'),
      ]);
    }
    expect(seen[0]).toEqual(seen[1]);
    const calls = app.store.names();
    expect(calls.slice(0, calls.length / 2)).toEqual(calls.slice(calls.length / 2));
    expect(app.sent).toHaveLength(2);
  });

  it('needs the CSRF token', async () => {
    const app = mailScene(door);
    const page = await app.browser.post('/auth/signin/mail', { email: address });
    expectRefused(app, page, 'MissingCSRF');
    expect(app.store.calls).toEqual([]);
    expect(app.sent).toEqual([]);
  });

  it('leads to pages.verifyRequest', async () => {
    const app = mailScene(door, { pages: { verifyRequest: '/look-at-your-mail' } });
    const page = await app.browser.follow(await app.ask(address));
    expect(leadsTo(page)).toBe('/look-at-your-mail?provider=mail&type=email');
  });

  describe('options of the provider', () => {
    it('generateVerificationToken makes the token', async () => {
      const app = mailScene(door, {}, { provider: { generateVerificationToken: async () => 'a b&c=d/é' } });
      const link = await app.link(address);
      expect(app.sent[0]?.token).toBe('a b&c=d/é');
      expect([...app.store.tokens.values()][0]?.token).toBe(storedHash('a b&c=d/é', SECRET));
      expect(leadsTo(await app.open(link))).toBe('/in');
    });

    it.each(['', undefined, 123456, null])(
      'generateVerificationToken that returns %j is the owner’s fault',
      async (value) => {
        const app = mailScene(door, {}, { provider: { generateVerificationToken: () => value as never } });
        expectConfiguration(app, await app.ask(address));
        expect(app.log.errors[0]?.message).toContain('Return a random string');
        expect(app.store.tokens.size + app.sent.length).toBe(0);
      },
    );

    it('generateVerificationToken that throws is a configuration error', async () => {
      const app = mailScene(
        door,
        {},
        { provider: { generateVerificationToken: () => Promise.reject(new Error('no')) } },
      );
      expectConfiguration(app, await app.ask(address));
      expect(app.sent).toEqual([]);
    });

    it('maxAge is the number of seconds for which the link is valid', async () => {
      const app = mailScene(door, {}, { provider: { maxAge: 60 } });
      const links = [await app.link(address), await app.link(address)];
      expect(app.sent[0]?.expires).toEqual(new Date(app.clock.now().getTime() + 60_000));
      app.clock.advance(60);
      expect(leadsTo(await app.open(links[0] ?? ''))).toBe('/in');
      app.clock.advance(0.001);
      expect(leadsTo(await app.open(links[1] ?? ''))).toBe('/auth/error?error=Verification');
    });

    it('secret hashes the token instead of the configuration’s secret', async () => {
      const app = mailScene(door, {}, { provider: { secret: 'mail secret' } });
      const link = await app.link(address);
      expect([...app.store.tokens.values()][0]?.token).toBe(storedHash(app.sent[0]?.token ?? '', 'mail secret'));
      expect(leadsTo(await app.open(link))).toBe('/in');
    });

    it('normalizeIdentifier gets the input and decides on the address', async () => {
      const typed: string[] = [];
      const normalizeIdentifier = (identifier: string): string => {
        typed.push(identifier);
        return identifier.trim().replace(/\+[^@]*/, '');
      };
      const app = mailScene(door, {}, { provider: { normalizeIdentifier } });
      expect(leadsTo(await app.open(await app.link(' Ada+news@Example.com ')))).toBe('/in');
      expect(typed).toEqual([' Ada+news@Example.com ']);
      expect(app.sent[0]?.identifier).toBe('Ada@Example.com');
      expect([...app.store.users.values()][0]?.email).toBe('Ada@Example.com');
    });

    it('normalizeIdentifier need not return an address', async () => {
      const normalizeIdentifier = (identifier: string): string => identifier.replace(/[^\d+]/g, '');
      const app = mailScene(door, {}, { provider: { normalizeIdentifier } });
      expect(leadsTo(await app.open(await app.link('+44 (20) 7946-0000')))).toBe('/in');
      expect(app.sent[0]?.identifier).toBe('+442079460000');
    });

    it('a user without an address is found by the identifier again when the link is used', async () => {
      const phoneOf = new Map([
        ['eve', '+441632960001'],
        ['ada', '+442079460000'],
      ]);
      const store = mailStore();
      for (const id of phoneOf.keys()) {
        // `as`: the types of adapters demand an address.
        store.users.set(id, { id, name: id, email: null, emailVerified: null } as unknown as AdapterUser);
      }
      // Like a query that compares both columns, in a database where nothing equals nothing.
      store.adapter.getUserByEmail = async (identifier) =>
        [...store.users.values()].find(({ id, email }) => [email, phoneOf.get(id)].includes(identifier)) ?? null;
      const app = mailScene(door, {}, { store, provider: { normalizeIdentifier: (typed) => typed } });
      expect(leadsTo(await app.open(await app.link('+442079460000')))).toBe('/in');
      expect(await app.session()).toMatchObject({ user: { name: 'ada' } });
      expect([store.users.get('ada')?.emailVerified, store.users.get('eve')?.emailVerified]).toEqual([
        expect.any(Date),
        null,
      ]);
    });

    it('normalizeIdentifier refuses by throwing', async () => {
      const normalizeIdentifier = (): string => {
        throw new Error('only example.com');
      };
      const app = mailScene(door, {}, { provider: { normalizeIdentifier } });
      const page = await app.ask(address);
      expectRefused(app, page, 'EmailSignin');
      expect(app.log.errors[0]?.cause?.err?.message).toBe('only example.com');
      expect(app.store.calls).toEqual([]);
    });

    it.each([
      '',
      undefined,
      null,
      7,
      [address],
      { toString: () => address },
      Promise.resolve(address),
      'a@example.com,b@example.com',
      '"a@evil.example"@example.com',
      'Ada <ada@example.com>',
      'ada@example.com\r\nBcc: b@example.com',
      'ada\uFF20example.com',
      'two\nlines',
      'zero\u200Bwidth',
    ])('normalizeIdentifier that returns %j refuses', async (rubbish) => {
      const app = mailScene(door, {}, { provider: { normalizeIdentifier: () => rubbish as string } });
      expectRefused(app, await app.ask(address), 'EmailSignin');
      expect(app.store.calls).toEqual([]);
      expect(app.sent).toEqual([]);
    });

    it.each([undefined, ['a', 'b']])('normalizeIdentifier is not called for %j', async (email) => {
      const asked: unknown[] = [];
      const normalizeIdentifier = (identifier: string): string => {
        asked.push(identifier);
        return address;
      };
      const app = mailScene(door, {}, { provider: { normalizeIdentifier } });
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const page = await app.browser.post('/auth/signin/mail', { csrfToken, email }, { json: true });
      expectRefused(app, page, 'EmailSignin');
      expect(asked).toEqual([]);
    });
  });

  it.each([
    [{ sendVerificationRequest: undefined }, 'has no `sendVerificationRequest`. Add the function that mails the link'],
    [{ maxAge: Number.NaN }, '`maxAge` must be a number of seconds, more than 0'],
    [{ maxAge: '600' }, '`maxAge` must be a number of seconds, more than 0'],
    [{ maxAge: 0 }, '`maxAge` must be a number of seconds, more than 0'],
  ])('logs what is wrong with %o', async (provider, message) => {
    const app = mailScene(door, {}, { provider: provider as Partial<EmailConfig> });
    expect((await app.browser.get('/auth/signin')).status).toBe(200);
    expect(leadsTo(await app.post('signin/mail', { email: address }))).toContain('error=Configuration');
    expect(app.log.errors.map((error) => error.message)).toEqual([expect.stringContaining(message)]);
  });

  it.each<[string, number, (length: number) => string]>([
    ['typed characters, blanks included', 320, (length) => address.padEnd(length)],
    ['octets before the @', 64, (length) => `${'x'.repeat(length)}@example.com`],
    ['octets before the @, two for each character', 32, (length) => `${'ü'.repeat(length)}@example.com`],
    [
      'octets in total',
      254,
      (length) => `a@${Array(4).fill('x'.repeat(50)).join('.')}.${'x'.repeat(length - 2 - 4 * 51)}`,
    ],
    ['characters in a label', 63, (length) => `ada@${'x'.repeat(length)}.example`],
  ])('accepts an address with no more %s than %i', async (_, limit, make) => {
    const app = mailScene(door);
    expect(leadsTo(await app.ask(make(limit)))).toBe(verifyRequest);
    expectRefused(app, await app.ask(make(limit + 1)), 'EmailSignin');
  });

  it('accepts 320 characters of `normalizeIdentifier`, and no more', async () => {
    const app = mailScene(door, {}, { provider: { normalizeIdentifier: (typed) => typed } });
    expect(leadsTo(await app.ask('x'.repeat(320)))).toBe(verifyRequest);
    expectRefused(app, await app.ask('x'.repeat(321)), 'EmailSignin');
  });

  it('knows the provider by its own id', async () => {
    const other: Sent[] = [];
    const second: EmailConfig = {
      id: 'second',
      name: 'Second',
      type: 'email',
      sendVerificationRequest: (params) => void other.push(params),
    };
    const app = mailScene(door, { providers: [second] });
    await app.post('signin/second', { email: address });
    expect(app.sent).toEqual([]);
    expect(other[0]?.url).toMatch(/^http:\/\/localhost:3000\/auth\/callback\/second\?/);
    expect(other[0]?.provider).toMatchObject({
      id: 'second',
      callbackUrl: 'http://localhost:3000/auth/callback/second',
    });
  });

  it('throws the error in raw mode', async () => {
    const app = mailScene(
      door,
      {},
      { call: { raw: true }, provider: { sendVerificationRequest: () => Promise.reject(new Error('no')) } },
    );
    await expect(app.ask(address)).rejects.toThrow(AuthError);
  });
});
