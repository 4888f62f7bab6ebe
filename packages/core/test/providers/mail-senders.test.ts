import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setEnvDefaults } from '../../src/config/env.ts';
import { withOptions } from '../../src/config/provider-options.ts';
import { AuthError } from '../../src/errors.ts';
import type { EmailConfig, EmailUserConfig } from '../../src/providers/email.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from '../flows/doors.ts';
import { type MailStore, mailStore } from '../flows/email-scene.ts';
import { expectConfiguration, expectRefused, leadsTo, type Scene, SECRET, scene } from '../flows/scene.ts';
import { expectDeadlines, windForward } from '../wire/wind-forward.ts';
import { MailDesk, mailApis, type Reply, reply } from './mail-apis.ts';

// The pages have another address as an example.
const address = 'grace@example.com';
const KEY = 'key_9f3Kd-0123456789';
const from = 'sign-in@acme.example';
const [door] = doors as [(typeof doors)[0]];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe.each(mailApis)('the email sender $file', (api) => {
  const { factory, prefix, file } = api;
  /** Its mails are written there. */
  const ownWords = file === 'loops';
  let desk: MailDesk;

  beforeEach(() => {
    desk = new MailDesk(api, KEY);
    vi.stubGlobal('fetch', desk.fetch);
  });

  /** An application that mails through the vendor. */
  function app(own: EmailUserConfig = {}): Scene & { store: MailStore; ask(): ReturnType<Scene['post']> } {
    return withProvider(factory({ from, apiKey: KEY, ...api.options, ...own }));
  }

  function withProvider(
    provider: AuthConfig['providers'][number],
    env?: Record<string, string>,
  ): ReturnType<typeof app> {
    const store = mailStore();
    const config: AuthConfig = { adapter: store.adapter, providers: [provider], secret: SECRET };
    if (env) setEnvDefaults(env, config, true);
    const made = scene(door, config);
    return { ...made, store, ask: () => made.post(`signin/${file}`, { email: address, callbackUrl: '/in' }) };
  }

  /** The link that the vendor was handed last. */
  const link = (): string => {
    const { link: own, text = '' } = desk.mails.at(-1) ?? expect.unreachable();
    return own ?? /^http\S+$/m.exec(text)?.[0] ?? '';
  };

  async function expectSignsIn(site: ReturnType<typeof app>): Promise<void> {
    const page = await site.ask();
    expect(desk.problems).toEqual([]);
    expect(leadsTo(page)).toBe(`/auth/verify-request?provider=${file}&type=email`);
    expect(leadsTo(await site.finish(link()))).toBe('/in');
    expect(await site.session()).toMatchObject({ user: { email: address } });
    expect(site.log.types()).toEqual([]);
  }

  it('hands over the mail as the vendor wants it, and its link signs in', async () => {
    const site = app();
    await expectSignsIn(site);
    expect(desk.asked).toHaveLength(1);
    expect(desk.asked[0]?.headers.get('user-agent')).toBe('latchkey');
    const [mail] = desk.mails;
    expect(mail?.to).toBe(address);
    expect(link()).toMatch(
      new RegExp(
        `^http://localhost:3000/auth/callback/${file}\\?callbackUrl=.+&token=[\\da-f]{64}&email=grace%40example\\.com$`,
      ),
    );
    if (mail?.link) return;
    expect(mail).toMatchObject({ from: { address: from }, subject: 'Sign in to localhost:3000' });
    expect(mail?.html).toContain(link().replaceAll('&', '&amp;'));
  });

  if (!ownWords)
    it('tells the name of the sender', async () => {
      for (const sender of [`Acme <${from}>`, `  "Acme"  <${from}> `]) {
        await expectSignsIn(app({ from: file === 'mailgun' ? sender : `Acme <${from}>` }));
        expect(desk.mails.at(-1)?.from).toEqual({ address: from, name: 'Acme' });
      }
    });

  it('takes the key from the environment, of a bare factory and of a provider made without it', async () => {
    const env = { AUTH_SECRET: SECRET, AUTH_TRUST_HOST: 'true', [`AUTH_${file.toUpperCase()}_KEY`]: `${KEY}\r\n` };
    const options = { ...api.options, from };
    await expectSignsIn(withProvider((given: object) => factory({ ...options, ...given }), env));
    await expectSignsIn(withProvider(factory(options), env));
  });

  it('is made without options, and says what it lacks when a mail is due', async () => {
    expect(factory()).toMatchObject({ id: file, type: 'email', maxAge: 86_400 });
    const site = withProvider(factory({ ...api.options, from }));
    expectConfiguration(site, await site.ask());
    const [error] = site.log.errors;
    expect(error).toBeInstanceOf(AuthError);
    expect(error?.message).toContain(`requires a key. Set \`apiKey\`, or AUTH_${file.toUpperCase()}_KEY`);
    expect(desk.asked).toEqual([]);
  });

  it('does not send a request with a key that is not a valid header value, and does not reveal the key', async () => {
    for (const apiKey of ['key with blanks', 'key\nx-other: header', 'schlüssel']) {
      const site = app({ apiKey });
      expectConfiguration(site, await site.ask());
      expect(site.log.errors[0]?.message).toContain('must consist of printable ASCII characters without spaces');
      expect(JSON.stringify(site.log.errors)).not.toContain(apiKey);
    }
    expect(desk.asked).toEqual([]);
  });

  it('fails with a wrong key, logs the reason, and does not reveal the key', async () => {
    const site = app({ apiKey: 'wrong-key-123' });
    const page = await site.ask();
    expectRefused(site, page, 'EmailSignin');
    const message = site.log.errors[0]?.cause?.err?.message;
    const [status, body] = api.unauthorized;
    expect(message).toBe(`${prefix}${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`);
    expect(message).not.toContain('wrong-key-123');
    await expectSilentPage(site, page, 'wrong-key-123');
    expect(desk.mails).toEqual([]);
  });

  const page = '<!doctype html><title>Gateway</title>';
  const answers: readonly (readonly [title: string, answer: Reply, logged: string])[] = [
    ['refuses the mail', api.refused, `${api.refused[0]} `],
    ['is asked too often', [429, { message: 'Too many requests' }], '429 {"message":"Too many requests"}'],
    ['breaks down', [500, 'Internal Server Error', 'text/plain'], '500 Internal Server Error'],
    ['breaks down without a word', [503, ''], '503'],
    ['answers with a page', [502, page, 'text/html'], `502 ${page}`],
    ['answers with a page and a good status', [200, page, 'text/html'], `200 ${page}`],
    ['answers with something else than an object', [200, '"taken"'], '200 "taken"'],
    ...(api.deceptive ?? []).map((answer) => ['says no with a good status', answer, `${answer[0]} {`] as const),
  ];

  it.each(answers)('sends the visitor back when the vendor %s; the next try works', async (_, answer, logged) => {
    const site = app();
    desk.next.push(() => reply(answer));
    await expectFailure(site, logged);
    await expectSignsIn({ ...site, log: { ...site.log, types: () => [] } });
  });

  it('does not follow the vendor elsewhere', async () => {
    const site = app();
    desk.next.push(() => new Response(null, { status: 307, headers: { location: 'https://evil.example/' } }));
    await expectFailure(site, '307');
    expect(desk.asked.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('sends the visitor back when the vendor cannot be reached', async () => {
    const site = app();
    desk.next.push(() => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })));
    await expectFailure(site, 'no answer (fetch failed: connect ECONNREFUSED)');
  });

  it('gives the vendor 10 seconds', async () => {
    const asked = windForward();
    const site = app();
    desk.next.push(() => new Promise<Response>(() => undefined));
    await expectFailure(site, 'no answer (no complete answer in time');
    expectDeadlines(asked, 10_000);
  });

  it('reads no endless answer', async () => {
    const site = app();
    const state = { chunks: 0 };
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      state.chunks += 1;
      controller.enqueue(new Uint8Array(10_000).fill(120));
    };
    desk.next.push(() => new Response(new ReadableStream({ pull })));
    await expectFailure(site, 'no answer (more than 65536 bytes)');
    expect(state.chunks).toBeLessThan(12);
  });

  it('logs the beginning of what the vendor says on one line, without key and token', async () => {
    const site = app({ generateVerificationToken: () => 'the-token-of-the-link' });
    desk.next.push(() =>
      reply([400, `key ${KEY}\r\n\u001b[31m${KEY} token the-token-of-the-link ${'x'.repeat(9000)}`]),
    );
    const message = await expectFailure(site, '400 key [redacted] [31m[redacted] token [redacted] xxx');
    expect(message.length).toBe(`${prefix}400 `.length + 500);
  });

  it('mails the code, and keeps it out of the log', async () => {
    const site = app({ code: true });
    desk.next.push(async () => {
      const mail = (await desk.asked.at(-1)?.clone().text()) ?? '';
      const [, one, two] = (ownWords ? /"code":"(\d{4})(\d{4})"/ : /\b(\d{4}) (\d{4})\b/).exec(mail) ?? [];
      return reply([400, `code ${one} ${two} or ${one}${two}`]);
    });
    await expectFailure(site, '400 code [redacted] or [redacted]');
  });

  if (!ownWords)
    it('sends other mails, and keeps their secrets out of the log', async () => {
      const provider = withOptions(factory({ from, apiKey: KEY, ...api.options })) as EmailConfig;
      const words = { to: address, subject: 'Hello', text: 'Open /undo?statement=a.b%2Bc', html: '<p>Hello</p>' };
      const mail = { ...words, provider, url: 'https://app.example', secrets: ['a.b+c'] };
      await provider.sendMail?.(mail);
      expect(desk.problems).toEqual([]);
      expect(desk.mails).toMatchObject([{ ...words, from: { address: from } }]);
      desk.next.push(async () => reply([400, 'a.b+c a.b%2Bc']));
      await expect(provider.sendMail?.(mail)).rejects.toThrow(`${prefix}400 [redacted] [redacted]`);
    });

  it('does not send other mails if the application sends the sign-in mails itself', () => {
    const own = { ...api.options, sendVerificationRequest: async () => undefined };
    expect(withOptions(factory(own))).not.toHaveProperty('sendMail', expect.any(Function));
    const sendMail = async (): Promise<void> => undefined;
    expect(withOptions(factory({ ...own, sendMail }))).toHaveProperty('sendMail', sendMail);
  });

  it('never hands over what could be read as several recipients', async () => {
    const provider = { ...factory({ from }), apiKey: KEY, ...api.options };
    for (const identifier of [
      'ada@example.com, eve@evil.example',
      'ada@example.com;eve@evil.example',
      'Eve <e@e.example>',
    ]) {
      const sending = provider.sendVerificationRequest({
        identifier,
        url: 'https://app.example/auth/callback/x?token=t',
        expires: new Date(),
        provider,
        token: 't',
        theme: {},
        request: new Request('https://app.example'),
        asked: { at: new Date() },
      });
      await expect(sending).rejects.toThrow('the recipient must be one address');
    }
    expect(desk.asked).toEqual([]);
  });

  it('does what the application does otherwise', async () => {
    const sent: string[] = [];
    const own = app({
      maxAge: 600,
      normalizeIdentifier: (given) => given.toUpperCase(),
      generateVerificationToken: () => '123456',
      sendVerificationRequest: ({ identifier, token }) => void sent.push(`${identifier} ${token}`),
    });
    await own.ask();
    expect(sent).toEqual(['GRACE@EXAMPLE.COM 123456']);
    expect([...own.store.tokens.values()].map(({ expires }) => expires.getTime() - own.clock.now().getTime())).toEqual([
      600_000,
    ]);
    expect(desk.asked).toEqual([]);
  });

  if (!ownWords)
    it('says how long the link is valid', async () => {
      await app({ maxAge: 600 }).ask();
      expect(desk.mails[0]?.text).toMatch(/for 10\sminutes/);
    });

  if (!ownWords)
    it('refuses a sender that is not an address', async () => {
      for (const wrong of ['Acme', 'a@b.example, c@d.example', 'Acme <>', 'x@acme.example/../other', '<a@b> c']) {
        const site = app({ from: wrong });
        expectConfiguration(site, await site.ask());
        expect(site.log.errors[0]?.message).toContain('must be an address. Set `from`');
      }
      expect(desk.asked).toEqual([]);
    });

  /** Checks that the page shows only the failure, that the log contains the cause, and that the link does not work. */
  async function expectFailure(site: ReturnType<typeof app>, logged: string): Promise<string> {
    const answer = await site.ask();
    expectRefused(site, answer, 'EmailSignin');
    expect(site.log.types()).toEqual(['EmailSignInError']);
    const message = site.log.errors[0]?.cause?.err?.message ?? '';
    expect(message.startsWith(`${prefix}${logged}`), message).toBe(true);
    expect(message).not.toMatch(/[\r\n]/);
    expect(message).not.toContain(KEY);
    await expectSilentPage(site, answer, KEY);
    expect(site.store.users.size).toBe(0);
    return message;
  }

  async function expectSilentPage(site: Scene, answer: Awaited<ReturnType<Scene['post']>>, key: string): Promise<void> {
    const shown = (await site.browser.follow(answer)).text();
    expect(shown).toContain('The email could not be sent');
    for (const secret of [key, address, encodeURIComponent(address), 'error:', api.prefix.trim()]) {
      expect(shown).not.toContain(secret);
    }
  }
});
