import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate } from '../../../testing/test/certificate.ts';
import Nodemailer from '../../src/providers/nodemailer.ts';
import { doors } from './doors.ts';
import { mailStore } from './email-scene.ts';
import { expectRefused, leadsTo, scene } from './scene.ts';

const [door] = doors as [(typeof doors)[0]];
const address = 'ada@example.com';
const open: SMTPServer[] = [];

/** How a mail came. */
interface Delivery {
  to: string[];
  secure: boolean;
  user: unknown;
}

/** A server that begins in plain text, and takes mails and passwords over TLS only. */
async function start(starttls: boolean): Promise<{ port: number; mails: Delivery[]; passwords: unknown[] }> {
  const mails: Delivery[] = [];
  const passwords: unknown[] = [];
  const server = new SMTPServer({
    ...certificate,
    disabledCommands: starttls ? [] : ['STARTTLS'],
    allowInsecureAuth: !starttls,
    closeTimeout: 100,
    disableReverseLookup: true,
    onAuth: ({ username, password }, { secure }, done) => {
      passwords.push({ password, secure });
      done(null, { user: username });
    },
    onRcptTo: ({ address: to }, _, done) =>
      done(to.startsWith('unknown@') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData(stream, { envelope, secure, user }, done) {
      stream.resume().on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address: to }) => to), secure, user });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.server.address() as AddressInfo).port, mails, passwords };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
});

describe('a mail server that begins in plain text', () => {
  const ask = (server: object, email = address): ReturnType<ReturnType<typeof scene>['post']> => {
    site = scene(door, { adapter: mailStore().adapter, providers: [Nodemailer({ server })] });
    return site.post('signin/nodemailer', { email });
  };
  let site: ReturnType<typeof scene>;
  const auth = { user: 'app', pass: 'word' };

  it('gets password and mail over TLS', async () => {
    const { port, mails, passwords } = await start(true);
    const page = await ask({ host: 'localhost', port, requireTLS: true, auth, tls: { ca: certificate.cert } });
    expect(leadsTo(page)).toBe('/auth/verify-request?provider=nodemailer&type=email');
    expect(mails).toEqual([{ to: [address], secure: true, user: 'app' }]);
    expect(passwords).toEqual([{ password: 'word', secure: true }]);
  });

  it('gets neither when its certificate is not to be trusted', async () => {
    const { port, mails, passwords } = await start(true);
    const page = await ask({ host: 'localhost', port, auth });
    expectRefused(site, page, 'EmailSignin');
    expect(site.log.errors[0]?.cause?.err).toMatchObject({ code: expect.stringMatching(/^(ETLS|ESOCKET)$/) });
    expect([mails, passwords]).toEqual([[], []]);
  });

  it('gets neither when it does not speak TLS and that is asked for', async () => {
    const { port, mails, passwords } = await start(false);
    const page = await ask({ host: 'localhost', port, requireTLS: true, auth });
    expectRefused(site, page, 'EmailSignin');
    expect([mails, passwords]).toEqual([[], []]);
  });

  it('refuses a recipient over TLS, and the log does not name the recipient', async () => {
    const { port, mails } = await start(true);
    const page = await ask({ host: 'localhost', port, auth, tls: { ca: certificate.cert } }, 'unknown@example.com');
    expectRefused(site, page, 'EmailSignin');
    expect(site.log.errors[0]?.cause?.err).toMatchObject({ code: 'EENVELOPE', responseCode: 550 });
    expect((await site.browser.follow(page)).text()).not.toContain('unknown@example.com');
    expect(mails).toEqual([]);
  });
});
