import { type Mailbox, type MailboxOptions, startMailbox } from '@latchkey/testing/mailbox';
import nodemailer from 'nodemailer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { certificate } from '../../../testing/test/certificate.ts';
import { AuthError } from '../../src/errors.ts';
import Email from '../../src/providers/email.ts';
import type { NodemailerUserConfig } from '../../src/providers/nodemailer.ts';
import Nodemailer from '../../src/providers/nodemailer.ts';
import type { Theme } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { mailStore } from './email-scene.ts';
import { expectRefused, leadsTo, type Scene, scene } from './scene.ts';

const address = 'ada@example.com';
const open: Mailbox[] = [];

async function start(options?: MailboxOptions): Promise<Mailbox> {
  const mailbox = await startMailbox(options);
  open.push(mailbox);
  return mailbox;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((mailbox) => mailbox.close()));
});

describe.each(oneDoor)('mails over SMTP through $name', (door) => {
  const app = (
    config: NodemailerUserConfig,
    theme?: Theme,
  ): Scene & { ask(email?: string): ReturnType<Scene['post']> } => {
    const made = scene(door, { adapter: mailStore().adapter, providers: [Nodemailer(config)], theme });
    return { ...made, ask: (email = address) => made.post('signin/nodemailer', { email, callbackUrl: '/in' }) };
  };

  it('arrive in both forms, and their link signs in', async () => {
    const mailbox = await start();
    const site = app({ server: mailbox.server, from: 'Acme <sign-in@acme.example>' });
    expect(leadsTo(await site.ask())).toBe('/auth/verify-request?provider=nodemailer&type=email');
    const mail = await mailbox.waitFor(address);
    expect(mail.to).toEqual([address]);
    expect(mail.from).toBe('sign-in@acme.example');
    expect(mail.subject).toBe('Sign in to localhost:3000');
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      from: 'Acme <sign-in@acme.example>',
      to: address,
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^multipart\/alternative;/),
    });
    const link = mail.links.find((one) => one.includes('/callback/')) ?? '';
    expect(link).toMatch(
      /^http:\/\/localhost:3000\/auth\/callback\/nodemailer\?callbackUrl=.+&token=[\da-f]{64}&email=ada%40example\.com$/,
    );
    expect(mail.text.split('\n')).toContain(link);
    expect(new Set(mail.links)).toEqual(new Set(['http://localhost:3000', link]));
    expect(leadsTo(await site.finish(link))).toBe('/in');
    expect(await site.session()).toMatchObject({ user: { email: address } });
  });

  it('come from the host of the site when nothing else is said', async () => {
    const mailbox = await start();
    await app({ server: mailbox.server }).ask();
    expect((await mailbox.waitFor(address)).from).toBe('no-reply@localhost');
  });

  it.each([
    [{ name: 'Acme' }, undefined, 'Acme <no-reply@localhost>'],
    [{ name: 'Acme, "A" <B>\r\nX: y' }, 'a@acme.example', '"Acme, A B X: y" <a@acme.example>'],
    [{ name: 'Acme' }, 'Other <a@acme.example>', 'Other <a@acme.example>'],
  ])('come in the name of the theme %j from %j', async (theme, from, header) => {
    const mailbox = await start();
    await app({ server: mailbox.server, from }, theme).ask();
    expect((await mailbox.waitFor(address)).headers.get('from')).toBe(header);
  });

  it('take a connection URL, options, or a transport of the application, which stays open', async () => {
    const mailbox = await start({ auth: { user: 'app', pass: 'pass word' } });
    const { host, port } = mailbox.server;
    const transport = nodemailer.createTransport({ ...mailbox.server, pool: true }).transporter;
    const close = vi.spyOn(transport as { close(): void }, 'close');
    for (const server of [
      `smtp://app:pass%20word@${host}:${port}`,
      mailbox.server,
      { ...mailbox.server, pool: true },
      transport,
    ]) {
      await app({ server }).ask();
      expect((await mailbox.waitFor(address)).user).toBe('app');
    }
    expect(close).not.toHaveBeenCalled();
    close.mockRestore();
    transport.close?.();
  });

  it('are said not to have been sent when the password is wrong', async () => {
    const mailbox = await start({ auth: { user: 'app', pass: 'word' } });
    const site = app({ server: { ...mailbox.server, auth: { user: 'app', pass: 'wrong-password' } } });
    expectRefused(site, await site.ask(), 'EmailSignin');
    expect(site.log.errors[0]?.cause?.err).toMatchObject({ code: 'EAUTH' });
    expect(JSON.stringify([site.log.errors[0]?.message, site.log.errors[0]?.cause?.err?.message])).not.toContain(
      'wrong-password',
    );
    expect(mailbox.messages).toEqual([]);
  });

  it.each([
    ['refuses the recipient', 'recipient', { refuse: 550 }],
    ['refuses the mail', 'data', { refuse: 552 }],
    ['is busy', 'connect', { refuse: 421 }],
    ['breaks the connection off at once', 'connect', { drop: true }],
    ['breaks the connection off in between', 'recipient', { drop: true }],
    ['breaks the connection off at the end', 'data', { drop: true }],
  ] as const)('are said not to have been sent when the server %s; the next try works', async (_, step, fault) => {
    const mailbox = await start();
    mailbox.faults[step] = { ...fault, times: 1 };
    const site = app({ server: mailbox.server });
    expectRefused(site, await site.ask(), 'EmailSignin');
    expect(site.log.types()).toEqual(['EmailSignInError']);
    expect(leadsTo(await site.ask())).toBe('/auth/verify-request?provider=nodemailer&type=email');
    expect(mailbox.messages).toHaveLength(1);
  });

  it('are reported as not sent if the mail server does not answer', async () => {
    const mailbox = await start();
    await mailbox.close();
    const site = app({ server: mailbox.server });
    expectRefused(site, await site.ask(), 'EmailSignin');
    expect(site.log.errors[0]?.cause?.err?.message).toContain('ECONNREFUSED');
  });

  it('are given up after 30 seconds in all, however slowly the server answers', async () => {
    const mailbox = await start();
    mailbox.faults.data = { delay: 2000 };
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
    const site = app({ server: mailbox.server });
    expectRefused(site, await site.ask(), 'EmailSignin');
    expect(mailbox.messages).toHaveLength(0);
    expect(asked).toHaveBeenCalledWith(30_000);
  });

  it('go over TLS whose certificate is checked', async () => {
    const mailbox = await start({ tls: certificate, auth: { user: 'app', pass: 'word' } });
    await app({ server: mailbox.server }).ask();
    expect(await mailbox.waitFor(address)).toMatchObject({ secure: true, user: 'app' });
    const site = app({ server: { ...mailbox.server, tls: {} } });
    expectRefused(site, await site.ask(), 'EmailSignin');
    expect(mailbox.messages).toHaveLength(1);
  });

  it('reach addresses of other scripts', async () => {
    const mailbox = await start();
    const site = app({ server: mailbox.server });
    await site.ask('ADA@MÜNCHEN.example');
    expect((await mailbox.waitFor('ada@münchen.example')).to).toHaveLength(1);
    await site.ask('δοκιμή@example.com');
    const mail = await mailbox.waitFor('δοκιμή@example.com');
    const link = mail.links.find((one) => one.includes('/callback/')) ?? '';
    expect(leadsTo(await site.finish(link))).toBe('/in');
  });

  it('go to one recipient, for any result of a custom normalizer', async () => {
    const mailbox = await start();
    for (const identifier of ['no address, at all', 'bob']) {
      const site = app({ server: mailbox.server, normalizeIdentifier: () => identifier });
      expectRefused(site, await site.ask(), 'EmailSignin');
    }
    expect(mailbox.messages).toEqual([]);
  });

  it('can be asked for by the older name of the provider', async () => {
    const mailbox = await start();
    const site = scene(door, { adapter: mailStore().adapter, providers: [Email({ server: mailbox.server })] });
    const page = await site.post('signin/email', { email: address });
    expect(leadsTo(page)).toBe('/auth/verify-request?provider=email&type=email');
    const { links } = await mailbox.waitFor(address);
    expect(links.some((link) => link.startsWith('http://localhost:3000/auth/callback/email?'))).toBe(true);
  });
});

describe('the provider', () => {
  it('needs a server', () => {
    for (const config of [{}, { server: '' }, undefined]) {
      const make = (): unknown => Nodemailer(config as NodemailerUserConfig);
      expect(make).toThrow(AuthError);
      expect(make).toThrow('Nodemailer requires a `server` configuration. Give the address of the mail server');
    }
  });

  it('has the members of its kind', () => {
    const server = 'smtp://localhost';
    expect(Nodemailer({ server })).toEqual({
      id: 'nodemailer',
      name: 'Nodemailer',
      type: 'email',
      maxAge: 86_400,
      sendVerificationRequest: expect.any(Function),
      sendMail: expect.any(Function),
      options: { server },
    });
    expect(Email({ server })).toMatchObject({ id: 'email', name: 'Email', type: 'email' });
  });

  it('hands the mailer one recipient, never a text that could be a list', async () => {
    const handed: unknown[] = [];
    const server = {
      name: 'test',
      version: '1',
      send(
        mail: { data: { to: unknown }; message: { getEnvelope(): unknown } },
        done: (error: null, info: object) => void,
      ) {
        handed.push(mail.data.to, mail.message.getEnvelope());
        done(null, {});
      },
    };
    const provider = Nodemailer({ server });
    await provider.sendVerificationRequest({
      identifier: 'ada@example.com, mallory@evil.example',
      url: 'https://app.example/auth/callback/nodemailer?token=x',
      expires: new Date(),
      provider: { ...provider, server },
      token: 'x',
      theme: {},
      request: new Request('https://app.example'),
      asked: { at: new Date() },
    });
    expect(handed).toEqual([
      { name: '', address: 'ada@example.com, mallory@evil.example' },
      { from: 'no-reply@app.example', to: ['"ada@example.com, mallory"@evil.example'] },
    ]);
  });

  it('says who was missed when a transport tells so without failing', async () => {
    const transport = (info: object): object => ({
      name: 'test',
      version: '1',
      send: (_mail: unknown, done: (error: null, info: object) => void) => done(null, info),
    });
    const { sendVerificationRequest, ...provider } = Nodemailer({ server: transport({}) });
    const send = (info: object): unknown =>
      sendVerificationRequest({
        identifier: address,
        url: 'https://app.example/auth/callback/nodemailer?token=x',
        expires: new Date(),
        provider: { ...provider, sendVerificationRequest, server: transport(info) },
        token: 'x',
        theme: {},
        request: new Request('https://app.example'),
        asked: { at: new Date() },
      });
    await send({ rejected: [], pending: [] });
    await send({});
    await expect(send({ pending: [address] })).rejects.toThrow('Email (ada@example.com) could not be sent');
    await expect(send({ rejected: [{ name: '', address }] })).rejects.toThrow(
      'Email (ada@example.com) could not be sent',
    );
  });
});
