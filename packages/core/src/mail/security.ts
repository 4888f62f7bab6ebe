import english from '../messages/en.ts';
import type { MailRequester, Theme } from '../types/provider.ts';
import { type Html, html } from '../views/html.ts';
import { agentText } from '../views/requester.ts';
import { duration } from '../views/text.ts';
import { buttonRow, codeRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';
import { spacedCode } from './sign-in.ts';
import { fill, phrases, texts } from './texts.ts';
import type { SecurityMessage } from './transport.ts';

/** The content of a mail about an account. */
export type SecurityNotice =
  | { readonly kind: 'confirmAddress'; readonly code: string; readonly link: MailLink }
  | { readonly kind: 'addressTaken' }
  | { readonly kind: 'addressChanged'; readonly from: string; readonly to: string; readonly link: MailLink | undefined }
  | { readonly kind: 'wayAdded'; readonly way: NoticedWay; readonly link: MailLink | undefined }
  | { readonly kind: 'wayRemoved'; readonly way: NoticedWay }
  | { readonly kind: 'sessionsEnded' | 'accountDeleted' };

/** The link of a mail. */
export interface MailLink {
  /** An absolute URL. */
  readonly url: string;
  /** Seconds that the link is valid. */
  readonly seconds: number;
  /** The part of the URL that must not be logged. */
  readonly secret: string;
}

/** The way to sign in that a mail names. */
export interface NoticedWay {
  readonly isPasskey: boolean;
  /** Name of the provider. */
  readonly provider: string;
  /**
   * The address of the account at the provider. Names are not shown: an account may have any name, and a mail must not
   * carry text of an attacker.
   */
  readonly address?: string | undefined;
}

/** Where a mail comes from, and who gets it. */
export interface SecurityMailData {
  /** The address of the recipient. */
  readonly to: string;
  /** The site's origin. */
  readonly origin: string;
  readonly theme: Theme;
  /** When it happened, and in which browser. */
  readonly asked: MailRequester;
  readonly notice: SecurityNotice;
}

/**
 * Returns a mail about an account. It names the site by its host. Values are escaped, and are addresses, names of
 * configured providers, or texts from fixed lists: a visitor cannot add text.
 */
export function securityMail(data: SecurityMailData): SecurityMessage {
  const { to, notice } = data;
  const values = valuesOf(data);
  const { subject, body, hint, action, note } = texts[notice.kind];
  const link = 'link' in notice ? notice.link : undefined;
  const code = 'code' in notice ? spacedCode(notice.code) : undefined;
  const content: MailContent = {
    subject: fill(subject, values),
    body: fill(body, values),
    code,
    button: link && hint && action ? { url: link.url, hint: fill(hint, values), action } : undefined,
    note: fill(note, values),
  };
  return {
    to,
    subject: content.subject,
    text: plainText(content),
    html: document(data, content),
    secrets: [link?.secret, 'code' in notice ? notice.code : undefined, code].filter((one) => one !== undefined),
  };
}

/** The parts of a mail, with their values. */
interface MailContent {
  readonly subject: string;
  readonly body: string;
  readonly code: string | undefined;
  readonly button: { readonly url: string; readonly hint: string; readonly action: string } | undefined;
  readonly note: string;
}

function valuesOf({ origin, asked, notice }: SecurityMailData): Readonly<Record<string, string | undefined>> {
  return {
    host: new URL(origin).host,
    when: fill(phrases.when, { date: dateOf(asked), agent: requestedBy(asked) }),
    time: 'link' in notice && notice.link ? duration(english, notice.link.seconds) : undefined,
    from: 'from' in notice ? notice.from : undefined,
    to: 'to' in notice ? notice.to : undefined,
    way: 'way' in notice ? wayInWords(notice.way) : undefined,
  };
}

function requestedBy(asked: MailRequester): string {
  const agent = agentText(english, asked);
  return agent === undefined ? '' : ` (${agent})`;
}

function wayInWords({ isPasskey, provider, address }: NoticedWay): string {
  if (isPasskey) return phrases.passkey;
  return fill(address === undefined ? phrases.account : phrases.accountOf, { provider, label: address });
}

/** In UTC, because the reader's time zone is not known. */
function dateOf({ at }: MailRequester): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at);
}

function plainText({ subject, body, code, button, note }: MailContent): string {
  const parts = [subject, body, code && codeLine(code), button?.hint, button?.url, note];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

function codeLine(code: string): string {
  return fill(phrases.code, { code });
}

function document({ origin, theme, notice }: SecurityMailData, content: MailContent): string {
  const { subject, body, code, button, note } = content;
  const rows: Html[] = [
    textRow('heading', heading(texts[notice.kind].subject, origin, theme), theme),
    textRow('plain', html`${body}`, theme),
    ...(code === undefined ? [] : [codeRow(code, theme)]),
    ...(button ? buttonRows(button, theme) : []),
    textRow('quiet', html`${note}`, theme),
  ];
  const preview = code === undefined ? body : `${codeLine(code)}. ${body}`;
  return mailDocument({ title: subject, preview, theme, rows });
}

function buttonRows({ url, hint, action }: NonNullable<MailContent['button']>, theme: Theme): Html[] {
  return [
    textRow('plain', html`${hint}`, theme),
    buttonRow(action, url, theme),
    ruleRow(theme),
    textRow('quiet', html`${phrases.noButton}`, theme),
    textRow('small', textLink('small', url, url, theme), theme),
  ];
}

/** The subject, with a link to the site: mail programs would turn the host into a link of their own. */
function heading(subject: string, origin: string, theme: Theme): Html {
  const [before = '', after = ''] = subject.split('{host}');
  return html`${before}${textLink('heading', new URL(origin).host, origin, theme)}${after}`;
}
