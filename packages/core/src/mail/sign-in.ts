import english, { type Language } from '../messages/en.ts';
import type {
  EmailProviderSendVerificationRequestParams,
  MailDelivery,
  MailRequester,
  Theme,
  VerifiedProvider,
} from '../types/provider.ts';
import { html } from '../views/html.ts';
import { agentText } from '../views/requester.ts';
import { dateTime, duration, fill, phrase } from '../views/text.ts';
import { buttonRow, codeRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';
import { siteName } from './site.ts';

/** Data of the mail with a sign-in link. */
export interface SignInMailData {
  /** The link, an absolute URL. */
  readonly url: string;
  readonly theme: Theme;
  /** Seconds that the link is valid. If it is undefined, the mail does not mention a time. */
  readonly maxAge?: number | undefined;
  /** The code. If it is undefined, the mail has only the link. */
  readonly code?: string | undefined;
  /** Who requested the mail. If it is undefined, the mail does not mention it. */
  readonly asked?: MailRequester | undefined;
  /** The provider for which the mail confirms the address. If it is undefined, the mail signs in by itself. */
  readonly verifies?: VerifiedProvider | undefined;
  /** Default: English. */
  readonly language?: Language | undefined;
}

/** The parameters of `sendVerificationRequest` from which the mail is made. */
export interface SignInMailOrder extends Omit<SignInMailData, 'maxAge'> {
  readonly expires?: Date | undefined;
  readonly provider: {
    readonly maxAge?: number | undefined;
    readonly confirm?: boolean | 'other-browser' | undefined;
  };
}

/** Returns the sign-in mail, ready to be sent. */
export function signInDelivery(params: EmailProviderSendVerificationRequestParams): MailDelivery {
  const { identifier: to, url, provider } = params;
  return { ...mailFor(params), to, url, provider, siteName: params.theme.name, secrets: secretsOf(params) };
}

/** Returns the texts of a mail that sign in. */
export function secretsOf({ token, code }: { readonly token: string; readonly code?: string | undefined }): string[] {
  return code === undefined ? [token] : [token, code, spacedCode(code)];
}

/** Returns the mail for the parameters of `sendVerificationRequest`. */
export function mailFor(order: SignInMailOrder): SignInMail {
  const { url, theme, code, expires, asked, verifies, provider, language } = order;
  // A mail that is sent again is valid for a shorter time.
  const seconds = expires && asked ? (expires.getTime() - asked.at.getTime()) / 1000 : provider.maxAge;
  const maxAge = provider.maxAge === undefined ? undefined : seconds;
  return signInMail({ url, theme, maxAge, code, verifies, language, asked: provider.confirm ? asked : undefined });
}

/** Subject and content of a mail, as plain text and as HTML. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the mail with a sign-in link, and a code above it if there is one. It names the site by `theme.name`, else
 * by its host, so that visitors cannot add text to it. The link is the only part with values from the request. Names
 * of browsers and systems come from a fixed list.
 *
 * @throws {TypeError} if `url` is not an absolute URL.
 */
export function signInMail(data: SignInMailData): SignInMail {
  return data.code === undefined ? linkMail(data) : codeMail(data, data.code);
}

function linkMail({ url, theme, maxAge, asked, language = english }: SignInMailData): SignInMail {
  const { mail } = language.texts;
  const { origin } = new URL(url);
  const site = siteName(theme, url);
  const subject = fill(mail.subject, { site });
  const validity =
    maxAge === undefined ? mail.linkOnce : fill(mail.linkOnceFor, { duration: duration(language, maxAge) });
  const note = sentences(asked && requestedText(language, asked), mail.ignoreLink);
  return {
    subject,
    text: `${subject}\n\n${mail.openLink}\n\n${url}\n\n${validity} ${mail.keepLink}\n\n${note}\n`,
    html: mailDocument({
      title: subject,
      preview: sentences(mail.preview, validity),
      theme,
      origin,
      language,
      rows: [
        textRow('heading', phrase(mail.subject, { site: textLink('heading', site, origin, theme) }), theme),
        textRow('plain', html`${sentences(mail.pressButton, validity)}`, theme),
        buttonRow(mail.button, url, theme),
        ruleRow(theme),
        textRow('quiet', html`${mail.noButton}`, theme),
        textRow('small', textLink('small', url, url, theme), theme),
        textRow('quiet', html`${sentences(mail.keepLink, note)}`, theme),
      ],
    }),
  };
}

function codeMail(data: SignInMailData, code: string): SignInMail {
  const { url, theme, maxAge, asked, verifies, language = english } = data;
  const { mail } = language.texts;
  const { host, origin } = new URL(url);
  const site = siteName(theme, url);
  const { title, purpose, action } = purposeOf(language, site, verifies);
  const subject = fill(title, { site });
  const yourCode = fill(mail.yourCode, { code: spacedCode(code) });
  const validity =
    maxAge === undefined ? mail.codeOnce : fill(mail.codeOnceFor, { duration: duration(language, maxAge) });
  const note = sentences(asked && requestedText(language, asked), mail.ignoreCode);
  // The host, which the reader compares with the address bar.
  const howTo = fill(mail.typeCodeAt, { site: host });
  return {
    subject,
    text: `${subject}\n\n${purpose && `${purpose}\n\n`}${yourCode}\n\n${howTo}\n\n${url}\n\n${validity} ${mail.keepCode}\n\n${note}\n`,
    html: mailDocument({
      title: subject,
      preview: `${yourCode}. ${validity}`,
      theme,
      origin,
      language,
      rows: [
        textRow('heading', phrase(title, { site: textLink('heading', site, origin, theme) }), theme),
        ...(purpose === '' ? [] : [textRow('plain', html`${purpose}`, theme)]),
        textRow('plain', html`${mail.typeCode}`, theme),
        codeRow(spacedCode(code), theme),
        textRow('plain', html`${sentences(mail.orButton, validity)}`, theme),
        buttonRow(action, url, theme),
        ruleRow(theme),
        textRow('quiet', html`${mail.noButton}`, theme),
        textRow('small', textLink('small', url, url, theme), theme),
        textRow('quiet', html`${sentences(mail.keepCode, note)}`, theme),
      ],
    }),
  };
}

/** The parts of a mail that depend on what the code does. */
interface MailPurpose {
  /** Subject and heading, with the placeholder `{site}`. */
  readonly title: string;
  /** The sentences about the effect of the code; empty if it signs in. */
  readonly purpose: string;
  /** Text of the button. */
  readonly action: string;
}

function purposeOf({ texts: { mail } }: Language, site: string, verifies: VerifiedProvider | undefined): MailPurpose {
  if (!verifies) return { title: mail.subject, purpose: '', action: mail.button };
  const purpose = fill(mail.confirmPurpose, { site, provider: verifies.name });
  return { title: mail.confirmSubject, purpose, action: mail.confirm };
}

/** Returns a code as readers see it: in two groups of four digits. */
export function spacedCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** Who requested the mail. */
function requestedText(language: Language, asked: MailRequester): string {
  const { requested, requestedBy } = language.texts.mail;
  const agent = agentText(language, asked);
  const date = dateTime(language, asked.at);
  return agent === undefined ? fill(requested, { date }) : fill(requestedBy, { date, agent });
}

/** Returns the sentences in one paragraph. */
function sentences(...given: readonly (string | undefined)[]): string {
  return given.filter((sentence) => sentence !== undefined).join(' ');
}
