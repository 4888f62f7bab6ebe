import type { AccountOptions, AuthConfig } from '@latchkey/core/types';
import {
  type Application,
  application,
  type Browser,
  Clock,
  type MemoryAdapter,
  MemorySessionRecords,
  memoryAdapter,
  type Page,
} from '@latchkey/testing';
import { type Mail, type Mailbox, startMailbox } from '@latchkey/testing/mailbox';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import Nodemailer from '../../src/providers/nodemailer.ts';
import type { Kind } from './scene.ts';

export type Site = Application<MemoryAdapter>;

export const BASE = 'http://localhost:3000/auth/account';

/** Starts a mail server for the tests of a file. Each test begins with an empty mailbox. */
export function useMailbox(): { readonly box: Mailbox } {
  let started: Mailbox | undefined;
  beforeAll(async () => {
    started = await startMailbox();
  });
  beforeEach(() => started?.clear());
  afterAll(() => started?.close());
  return {
    get box() {
      if (!started) throw new Error('the mailbox is used outside of a test');
      return started;
    },
  };
}

export interface ChangesSiteOptions {
  readonly account?: AccountOptions;
  readonly config?: Partial<AuthConfig>;
  readonly adapter?: MemoryAdapter;
  /** A provider before the others. Default: none. */
  readonly first?: AuthConfig['providers'][number];
  /** The configuration has no email provider. Default: `false`. */
  readonly withoutMail?: boolean;
}

/** Makes an application with the option `account`, two OpenID providers, and mails by SMTP. */
export function changesSite(kind: Kind, { box }: { readonly box: Mailbox }, options: ChangesSiteOptions = {}): Site {
  const clock = new Clock(new Date());
  const { account = {}, config, first, withoutMail } = options;
  const { adapter = memoryAdapter({ now: clock.now }) as MemoryAdapter } = options;
  return application({
    adapter,
    clock,
    config: ({ provider }) => ({
      providers: [
        ...(first ? [first] : []),
        provider.provider({ emailVerification: 'always' }),
        provider.provider({ id: 'second', name: 'Second', emailVerification: 'always' }),
        provider.provider({ id: 'third', name: 'Third', emailVerification: 'always' }),
        ...(withoutMail ? [] : [Nodemailer({ server: box.server, from: 'accounts@example.com' })]),
      ],
      account,
      session: {
        strategy: kind.startsWith('jwt') ? 'jwt' : 'database',
        records: kind.endsWith('records') && { store: MemorySessionRecords() },
      },
      ...config,
    }),
  });
}

/** The code in a mail. */
export function codeOf({ text }: Mail): string {
  return /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? '';
}

/** The link in a mail that leads to a part of the account. */
export function linkOf({ links }: Mail, part: 'confirm' | 'undo'): string {
  const link = links.find((one) => one.startsWith(`${BASE}/${part}?`));
  if (!link) throw new Error(`the mail has no link to ${part}: ${links.join(', ')}`);
  return link;
}

/** Asks for another address, and types the code of the mail. Returns the notice to the address before. */
export async function changeAddress(
  app: Site,
  box: Mailbox,
  from: string,
  to: string,
  browser?: Browser,
): Promise<Mail> {
  await app.post('account/email', { email: to }, browser);
  await app.post('account/confirm', { code: codeOf(await box.waitFor(to)) }, browser);
  return box.waitFor(from);
}

/** Opens the undo link of a notice, and presses the button. */
export async function undo(app: Site, notice: Mail, browser: Browser = app.visitor()): Promise<Page> {
  return press(browser, await app.open(linkOf(notice, 'undo'), browser));
}

/** Presses the button of the only form. */
export function press(browser: Browser, page: Page): Promise<Page> {
  return browser.submit(browser.form(page));
}

/** The addresses of all users. */
export function addresses(app: Site): string[] {
  return app.adapter
    .dump()
    .users.map(({ email }) => email)
    .sort();
}
