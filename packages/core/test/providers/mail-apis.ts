import ForwardEmail from '../../src/providers/forwardemail.ts';
import Loops from '../../src/providers/loops.ts';
import MailGun from '../../src/providers/mailgun.ts';
import Postmark from '../../src/providers/postmark.ts';
import Resend from '../../src/providers/resend.ts';
import SendGrid from '../../src/providers/sendgrid.ts';

/** A mail as a vendor understood it; Loops has the words itself. */
export interface TakenMail {
  from?: { address: string; name?: string | undefined };
  to: string;
  subject?: string;
  text?: string;
  html?: string;
  /** Data for the template of Loops. */
  link?: string;
}

/** An answer: status, body, content type. */
export type Reply = readonly [status: number, body: unknown, type?: string];

/** Requests and responses of a vendor's API, by its documentation. */
export interface MailApi {
  readonly file: string;
  readonly factory: typeof Resend;
  /** Options that it cannot do without. */
  readonly options?: Record<string, unknown>;
  /** How its messages in the log begin. */
  readonly prefix: string;
  readonly url: string;
  /** How the request contains the key. */
  readonly auth: (key: string) => [header: string, value: string];
  /** Reads the body; anything that the vendor does not know, or that is missing, throws. */
  readonly read: (request: Request) => Promise<TakenMail>;
  readonly taken: Reply;
  /** Its answer to a wrong key. */
  readonly unauthorized: Reply;
  /** Its answer to a mail that it does not want. */
  readonly refused: Reply;
  /** Answers with a good status that say no. */
  readonly deceptive?: readonly Reply[];
}

const bearer = (key: string): [string, string] => ['authorization', `Bearer ${key}`];
const basic = (pair: string): [string, string] => ['authorization', `Basic ${Buffer.from(pair).toString('base64')}`];

export const mailApis: readonly MailApi[] = [
  {
    file: 'resend',
    factory: Resend,
    prefix: 'Resend error: ',
    url: 'https://api.resend.com/emails',
    auth: bearer,
    async read(request) {
      // Without a user agent, the API responds with 403 for any key.
      if (!request.headers.get('user-agent')) throw new Error('error code: 1010');
      const { from, to, subject, html, text } = exactly(await json(request), 'from', 'to', 'subject', 'html', 'text');
      return { from: mailbox(from), to: only(to), subject, html, text };
    },
    taken: [200, { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }],
    unauthorized: [401, { statusCode: 401, message: 'API key is invalid', name: 'validation_error' }],
    refused: [422, { statusCode: 422, message: 'Invalid `from` field.', name: 'validation_error' }],
  },
  {
    file: 'sendgrid',
    factory: SendGrid,
    prefix: 'Sendgrid error: ',
    url: 'https://api.sendgrid.com/v3/mail/send',
    auth: bearer,
    async read(request) {
      const mail = exactly(await json(request), 'personalizations', 'from', 'subject', 'content', 'tracking_settings');
      same(mail.tracking_settings, { click_tracking: { enable: false, enable_text: false } });
      const { email, name } = mail.from as unknown as { email: string; name?: string };
      const [text, html] = mail.content as unknown as { type: string; value: string }[];
      same([text?.type, html?.type], ['text/plain', 'text/html']);
      const [{ to }] = mail.personalizations as unknown as [{ to: { email: string }[] }];
      same((mail.personalizations as unknown as unknown[]).length + to.length, 2);
      return {
        from: { address: only(email), name },
        to: only(to[0]?.email),
        subject: mail.subject,
        text: text?.value ?? '',
        html: html?.value ?? '',
      };
    },
    taken: [202, ''],
    unauthorized: [401, { errors: [{ message: 'The provided authorization grant is invalid', field: null }] }],
    refused: [403, { errors: [{ message: 'The from address does not match a verified Sender', field: 'from' }] }],
  },
  {
    file: 'postmark',
    factory: Postmark,
    prefix: 'Postmark error: ',
    url: 'https://api.postmarkapp.com/email',
    auth: (key) => ['x-postmark-server-token', key],
    async read(request) {
      same(request.headers.get('accept'), 'application/json');
      const known = ['From', 'To', 'Subject', 'TextBody', 'HtmlBody', 'MessageStream', 'TrackLinks'] as const;
      const mail = exactly(await json(request), ...known);
      same([mail.MessageStream, mail.TrackLinks], ['outbound', 'None']);
      const { From: from, To: to, Subject: subject, TextBody: text, HtmlBody: html } = mail;
      return { from: mailbox(from), to: only(to), subject, text, html };
    },
    taken: [200, { To: 'x', SubmittedAt: '2026-11-21T07:25:01Z', MessageID: 'b7bc', ErrorCode: 0, Message: 'OK' }],
    unauthorized: [401, { ErrorCode: 10, Message: 'Request does not contain a valid Server token.' }],
    refused: [422, { ErrorCode: 406, Message: 'You tried to send to a recipient that has been marked as inactive.' }],
    deceptive: [[200, { ErrorCode: 406, Message: 'Inactive recipient' }]],
  },
  {
    file: 'mailgun',
    factory: MailGun as typeof Resend,
    prefix: 'Mailgun error: ',
    url: 'https://api.mailgun.net/v3/acme.example/messages',
    auth: (key) => basic(`api:${key}`),
    async read(request) {
      same(/^multipart\/form-data; ?boundary=/.test(request.headers.get('content-type') ?? ''), true);
      const form = Object.fromEntries(await request.formData());
      const mail = exactly(form, 'from', 'to', 'subject', 'html', 'text', 'o:tracking-clicks');
      same(mail['o:tracking-clicks'], 'no');
      const { from, to, subject, html, text } = mail;
      return { from: mailbox(from), to: only(to), subject, html, text };
    },
    taken: [200, { id: '<20261121.1@acme.example>', message: 'Queued. Thank you.' }],
    unauthorized: [401, 'Forbidden', 'text/plain'],
    refused: [400, { message: "'to' parameter is not a valid address. please check documentation" }],
  },
  {
    file: 'loops',
    factory: Loops as typeof Resend,
    options: { transactionalId: 'clfn0k1yg001imo0fdeqg30i8' },
    prefix: 'Loops Send Error: ',
    url: 'https://app.loops.so/api/v1/transactional',
    auth: bearer,
    async read(request) {
      const mail = exactly(await json(request), 'transactionalId', 'email', 'dataVariables');
      same(mail.transactionalId, 'clfn0k1yg001imo0fdeqg30i8');
      return { to: only(mail.email), link: exactly(mail.dataVariables, 'url').url };
    },
    taken: [200, { success: true }],
    unauthorized: [401, { error: 'Invalid API key' }],
    refused: [400, { success: false, message: 'Missing required fields.', path: 'dataVariables' }],
    deceptive: [[200, { success: false, message: 'Email not published' }]],
  },
  {
    file: 'forwardemail',
    factory: ForwardEmail,
    prefix: 'Forward Email error: ',
    url: 'https://api.forwardemail.net/v1/emails',
    auth: (key) => basic(`${key}:`),
    async read(request) {
      const { from, to, subject, html, text } = exactly(await json(request), 'from', 'to', 'subject', 'html', 'text');
      return { from: mailbox(from), to: only(to), subject, html, text };
    },
    taken: [200, { id: '6742f2a1', object: 'email', status: 'queued' }],
    unauthorized: [401, { statusCode: 401, error: 'Unauthorized', message: 'Invalid API token.' }],
    refused: [400, { statusCode: 400, error: 'Bad Request', message: 'Domain does not have outbound SMTP.' }],
  },
];

/** The vendor behind `fetch`, which accepts mails with the key. */
export class MailDesk {
  readonly mails: TakenMail[] = [];
  readonly asked: Request[] = [];
  /** Faults of requests with the right key. */
  readonly problems: string[] = [];
  /** The next responses, for any request. Then the vendor accepts mails again. */
  readonly next: (() => Promise<Response> | Response)[] = [];
  readonly api: MailApi;
  readonly key: string;

  constructor(api: MailApi, key: string) {
    this.api = api;
    this.key = key;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    this.asked.push(request.clone());
    const scripted = this.next.shift();
    if (scripted) return scripted();
    const { api } = this;
    const [header, value] = api.auth(this.key);
    if (request.headers.get(header) !== value) return reply(api.unauthorized);
    try {
      same(`${request.method} ${request.url} ${request.redirect}`, `POST ${api.url} manual`);
      this.mails.push(await api.read(request));
      return reply(api.taken);
    } catch (error) {
      this.problems.push(String(error));
      return reply(api.refused);
    }
  };
}

export function reply([status, body, type = 'application/json']: Reply): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { 'content-type': type } });
}

async function json(request: Request): Promise<Record<string, unknown>> {
  same(request.headers.get('content-type'), 'application/json');
  return (await request.json()) as Record<string, unknown>;
}

/** Has these members, all of them, and no other. */
function exactly<Name extends string>(value: unknown, ...names: Name[]): Record<Name, string> {
  same(Object.keys(value as object).sort(), [...names].sort());
  return value as Record<Name, string>;
}

/** `a@b` or `Name <a@b>`. */
function mailbox(text: string): { address: string; name?: string | undefined } {
  const [, name, address] = /^(?:([^<>]+) )?<([^<>\s]+)>$/.exec(text) ?? [undefined, undefined, text];
  return { address: only(address), name };
}

/** One bare address. */
function only(address: string | undefined): string {
  if (!address || !/^[^\s<>,"]+@[^\s<>,"]+$/.test(address)) throw new Error(`no address: ${address}`);
  return address;
}

function same(value: unknown, expected: unknown): void {
  const [found, wanted] = [value, expected].map((one) => JSON.stringify(one));
  if (found !== wanted) throw new Error(`${found} is not ${wanted}`);
}
