import type { Language, Texts } from '../messages/en.ts';
import type { MailRequester, Theme } from '../types/provider.ts';
import { type Html, type HtmlValue, html } from '../views/html.ts';
import { agentText } from '../views/requester.ts';
import { dateTime, duration, fill, isolated, phrase, type TextValues } from '../views/text.ts';
import { buttonRow, codeRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';
import { spacedCode } from './sign-in.ts';
import { siteName } from './site.ts';
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
  /** The language of the request that caused the mail. */
  readonly language: Language;
  /** When it happened, and in which browser. */
  readonly asked: MailRequester;
  readonly notice: SecurityNotice;
}

/**
 * Returns a mail about an account. It names the site by `theme.name`, else by its host. Values are escaped, and are
 * addresses, names of configured providers, or texts from fixed lists: a visitor cannot add text.
 */
export function securityMail(data: SecurityMailData): SecurityMessage {
  const { to, language, notice } = data;
  const content: MailContent = {
    texts: language.texts[`${notice.kind}Mail` as const],
    code: 'code' in notice ? spacedCode(notice.code) : undefined,
    link: 'link' in notice ? notice.link : undefined,
  };
  const { code, link } = content;
  return {
    to,
    subject: fill(content.texts.subject, valuesOf(data)),
    text: plainText(data, content),
    html: document(data, content),
    secrets: [link?.secret, 'code' in notice ? notice.code : undefined, code].filter((one) => one !== undefined),
  };
}

/** The texts of a mail, with placeholders. */
interface MailTexts {
  /** Subject and heading. */
  readonly subject: string;
  /** The change, or the purpose of the mail. */
  readonly body: string;
  /** The purpose of the button. Only if the mail can have a link. */
  readonly hint?: string;
  /** Text of the button. */
  readonly action?: string;
  /** The small print at the end. */
  readonly note: string;
}

/** The parts of a mail. */
interface MailContent {
  readonly texts: MailTexts;
  readonly code: string | undefined;
  readonly link: MailLink | undefined;
}

/** The values of the placeholders, for plain text. */
function valuesOf({ origin, theme, language, asked, notice }: SecurityMailData): TextValues {
  const { texts } = language;
  return {
    site: siteName(theme, origin),
    when: whenText(language, asked),
    ...('link' in notice && notice.link && { duration: duration(language, notice.link.seconds) }),
    ...('from' in notice && { from: notice.from, to: notice.to }),
    ...('way' in notice && { way: fill(wayText(texts, notice.way), namesOf(notice.way)) }),
  };
}

/** The values of the placeholders, for HTML. */
function htmlValuesOf(data: SecurityMailData): Readonly<Record<string, HtmlValue>> {
  const { language, notice } = data;
  const way = 'way' in notice ? notice.way : undefined;
  const names = way && Object.entries(namesOf(way)).map(([name, text]) => [name, isolated(text)]);
  return {
    ...valuesOf(data),
    ...('from' in notice && { from: isolated(notice.from), to: isolated(notice.to) }),
    ...(way && names && { way: phrase(wayText(language.texts, way), Object.fromEntries(names)) }),
  };
}

function whenText(language: Language, asked: MailRequester): string {
  const { when, whenBy } = language.texts.notice;
  const agent = agentText(language, asked);
  const date = dateTime(language, asked.at);
  return agent === undefined ? fill(when, { date }) : fill(whenBy, { date, agent });
}

function wayText({ notice }: Texts, { isPasskey, address }: NoticedWay): string {
  if (isPasskey) return notice.passkey;
  return address === undefined ? notice.account : notice.accountOf;
}

function namesOf({ provider, address }: NoticedWay): Readonly<Record<string, string>> {
  return { provider, label: address ?? '' };
}

function plainText(data: SecurityMailData, { texts, code, link }: MailContent): string {
  const { subject, body, hint, note } = texts;
  const parts = [subject, body, code && codeLine(data.language, code), link && hint, link?.url, note];
  const values = valuesOf(data);
  return `${parts
    .filter((part) => part !== undefined)
    .map((part) => fill(part, values))
    .join('\n\n')}\n`;
}

function codeLine({ texts }: Language, code: string): string {
  return fill(texts.mail.yourCode, { code });
}

function document(data: SecurityMailData, { texts, code, link }: MailContent): string {
  const { origin, theme, language } = data;
  const values = valuesOf(data);
  const htmlValues = htmlValuesOf(data);
  const site = textLink('heading', siteName(theme, origin), origin, theme);
  const body = fill(texts.body, values);
  const rows: Html[] = [
    // Mail programs would turn the host into a link of their own.
    textRow('heading', phrase(texts.subject, { site }), theme),
    textRow('plain', phrase(texts.body, htmlValues), theme),
    ...(code === undefined ? [] : [codeRow(code, theme)]),
    ...(link ? buttonRows(data, texts, link.url) : []),
    textRow('quiet', phrase(texts.note, htmlValues), theme),
  ];
  const preview = code === undefined ? body : `${codeLine(language, code)}. ${body}`;
  return mailDocument({ title: fill(texts.subject, values), preview, theme, origin, language, rows });
}

function buttonRows(data: SecurityMailData, { hint = '', action = '' }: MailTexts, url: string): Html[] {
  const { theme, language } = data;
  return [
    textRow('plain', phrase(hint, htmlValuesOf(data)), theme),
    buttonRow(action, url, theme),
    ruleRow(theme),
    textRow('quiet', html`${language.texts.mail.noButton}`, theme),
    textRow('small', textLink('small', url, url, theme), theme),
  ];
}
