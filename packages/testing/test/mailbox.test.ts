import nodemailer from 'nodemailer';
import { afterEach, describe, expect, it } from 'vitest';
import { type Mailbox, type MailboxOptions, startMailbox } from '../src/mailbox.ts';
import { certificate } from './certificate.ts';

const open: Mailbox[] = [];

async function start(options?: MailboxOptions): Promise<Mailbox> {
  const mailbox = await startMailbox(options);
  open.push(mailbox);
  return mailbox;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((mailbox) => mailbox.close()));
});

const send = (server: object, to = 'ada@example.com', text = 'Hello') =>
  nodemailer
    .createTransport(server)
    .sendMail({ from: 'app@example.com', to, subject: 'Grüße', text, html: `<p>${text}` });

describe('startMailbox', () => {
  it('keeps the mails that it receives', async () => {
    const mailbox = await start();
    await send(mailbox.server, 'Ada <ada@example.com>, bob@example.com', 'See https://app.test/?x=1');
    expect(mailbox.messages).toHaveLength(1);
    expect(mailbox.messages[0]).toMatchObject({
      from: 'app@example.com',
      to: ['ada@example.com', 'bob@example.com'],
      subject: 'Grüße',
      text: 'See https://app.test/?x=1',
      html: '<p>See https://app.test/?x=1',
      links: ['https://app.test/?x=1'],
      user: undefined,
      secure: false,
    });
    mailbox.clear();
    expect(mailbox.messages).toEqual([]);
  });

  it('returns each mail once, also one that arrives later', async () => {
    const mailbox = await start();
    await send(mailbox.server, 'ada@example.com', 'one');
    await send(mailbox.server, 'bob@example.com', 'other');
    expect((await mailbox.waitFor('ada@example.com')).text).toBe('one');
    const next = mailbox.waitFor('ada@example.com');
    await send(mailbox.server, 'ada@example.com', 'two');
    expect((await next).text).toBe('two');
    await expect(mailbox.waitFor('ada@example.com', 20)).rejects.toThrow(
      'no mail to ada@example.com within 20 ms; mails so far: ada@example.com, bob@example.com, ada@example.com',
    );
  });

  it('requires authentication', async () => {
    const mailbox = await start({ auth: { user: 'app', pass: 'word' } });
    await send(mailbox.server);
    expect(mailbox.messages[0]?.user).toBe('app');
    await expect(send({ ...mailbox.server, auth: { user: 'app', pass: 'wrong' } })).rejects.toMatchObject({
      responseCode: 535,
    });
    await expect(send({ ...mailbox.server, auth: undefined })).rejects.toMatchObject({ responseCode: 530 });
    expect(mailbox.messages).toHaveLength(1);
  });

  it('accepts mails without authentication if it is optional', async () => {
    const mailbox = await start({ auth: { user: 'app', pass: 'word' }, authOptional: true });
    await send({ ...mailbox.server, auth: undefined });
    await send(mailbox.server);
    expect(mailbox.messages.map(({ user }) => user)).toEqual([undefined, 'app']);
  });

  it('speaks TLS with a given certificate', async () => {
    const mailbox = await start({ tls: certificate });
    await send(mailbox.server);
    expect(mailbox.messages[0]?.secure).toBe(true);
    await expect(send({ ...mailbox.server, tls: {} })).rejects.toThrow('self-signed certificate');
  });

  it.each([
    ['connect', { responseCode: 421 }],
    ['recipient', { responseCode: 421 }],
    ['data', { responseCode: 421 }],
  ] as const)('refuses at the step %s as often as asked', async (step, expected) => {
    const mailbox = await start();
    mailbox.faults[step] = { refuse: 421, times: 1 };
    await expect(send(mailbox.server)).rejects.toMatchObject(expected);
    await send(mailbox.server);
    expect(mailbox.messages).toHaveLength(1);
  });

  it('refuses the correct password if there is a fault', async () => {
    const mailbox = await start({ auth: { user: 'app', pass: 'word' } });
    mailbox.faults.auth = { refuse: 454 };
    await expect(send(mailbox.server)).rejects.toMatchObject({ code: 'EAUTH', responseCode: 454 });
    delete mailbox.faults.auth;
    await send(mailbox.server);
  });

  it.each(['connect', 'recipient', 'data'] as const)('drops the connection at the step %s', async (step) => {
    const mailbox = await start();
    mailbox.faults[step] = { drop: true };
    await expect(send(mailbox.server)).rejects.toThrow(/closed|hang up|ECONNRESET/i);
    expect(mailbox.messages).toEqual([]);
  });

  it('is slow if there is a fault', async () => {
    const mailbox = await start();
    mailbox.faults.recipient = { delay: 80 };
    const before = performance.now();
    await send(mailbox.server);
    expect(performance.now() - before).toBeGreaterThan(75);
  });

  it('listens on loopback only, and reports a port that is taken', async () => {
    await expect(startMailbox({ host: '0.0.0.0' })).rejects.toThrow(TypeError);
    const { server } = await start();
    await expect(startMailbox({ port: server.port })).rejects.toThrow('EADDRINUSE');
  });
});
