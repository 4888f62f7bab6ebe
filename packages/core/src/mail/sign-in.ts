import type {
  EmailProviderSendVerificationRequestParams,
  MailDelivery,
  MailRequester,
  Theme,
  VerifiedProvider,
} from '../types/provider.ts';
import { type Html, html } from '../views/html.ts';
import { agentInWords } from '../views/requester.ts';
import { timeInWords } from '../views/time.ts';
import { buttonRow, codeRow, mailDocument, ruleRow, textLink, textRow } from './document.ts';

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
  return { ...mailFor(params), to, url, provider, secrets: secretsOf(params) };
}

/** Returns the texts of a mail that sign in. */
export function secretsOf({ token, code }: { readonly token: string; readonly code?: string | undefined }): string[] {
  return code === undefined ? [token] : [token, code, spacedCode(code)];
}

/** Returns the mail for the parameters of `sendVerificationRequest`. */
export function mailFor({ url, theme, code, expires, asked, verifies, provider }: SignInMailOrder): SignInMail {
  // A mail that is sent again is valid for a shorter time.
  const seconds = expires && asked ? (expires.getTime() - asked.at.getTime()) / 1000 : provider.maxAge;
  const maxAge = provider.maxAge === undefined ? undefined : seconds;
  return signInMail({ url, theme, maxAge, code, verifies, asked: provider.confirm ? asked : undefined });
}

/** Subject and content of a mail, as plain text and as HTML. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the mail with a sign-in link, and a code above it if there is one. It names the site by its host only, so
 * that visitors cannot add text to it. The link is the only part with values from the request. Names of browsers and
 * systems come from a fixed list.
 *
 * @throws {TypeError} if `url` is not an absolute URL.
 */
export function signInMail(data: SignInMailData): SignInMail {
  return data.code === undefined ? linkMail(data) : codeMail(data, data.code);
}

function linkMail({ url, theme, maxAge, asked }: SignInMailData): SignInMail {
  const { host, origin } = new URL(url);
  const subject = `Sign in to ${host}`;
  const validity = `The link works once${maxAge === undefined ? '' : `, for ${timeInWords(maxAge)}`}.`;
  const requested = asked ? `${requestedIn(asked)} ` : '';
  return {
    subject,
    text: `${subject}\n\nOpen this address to sign in:\n\n${url}\n\n${validity} ${keep}\n\n${requested}${ignore}\n`,
    html: mailDocument({
      title: subject,
      preview: `Your link to sign in. ${validity}`,
      theme,
      rows: [
        textRow('heading', html`Sign in to ${textLink('heading', host, origin, theme)}`, theme),
        textRow('plain', html`Press the button to sign in. ${validity}`, theme),
        buttonRow('Sign in', url, theme),
        ruleRow(theme),
        textRow('quiet', html`If the button does nothing, open this address:`, theme),
        textRow('small', textLink('small', url, url, theme), theme),
        textRow('quiet', html`${keep} ${requested}${ignore}`, theme),
      ],
    }),
  };
}

function codeMail(data: SignInMailData, code: string): SignInMail {
  const { url, theme, maxAge, asked, verifies } = data;
  const { host, origin } = new URL(url);
  const site = textLink('heading', host, origin, theme);
  const { subject, heading, purpose, action, to } = verifies
    ? confirmation(host, site, verifies)
    : {
        subject: `Sign in to ${host}`,
        heading: html`Sign in to ${site}`,
        purpose: '',
        action: 'Sign in',
        to: 'sign in',
      };
  const digits = spacedCode(code);
  const validity = `Code and link work once${maxAge === undefined ? '' : `, for ${timeInWords(maxAge)}`}.`;
  const requested = asked ? `${requestedIn(asked)} ` : '';
  return {
    subject,
    text: `${subject}\n\n${purpose && `${purpose}\n\n`}Your code: ${digits}\n\nType it on the page of ${host} that asks for it. Or open this address to ${to}:\n\n${url}\n\n${validity} ${keepBoth}\n\n${requested}${ignoreBoth}\n`,
    html: mailDocument({
      title: subject,
      preview: `Your code: ${digits}. ${validity}`,
      theme,
      rows: [
        textRow('heading', heading, theme),
        ...(purpose === '' ? [] : [textRow('plain', html`${purpose}`, theme)]),
        textRow('plain', html`Type this code on the page that asks for it:`, theme),
        codeRow(digits, theme),
        textRow('plain', html`Or press the button. ${validity}`, theme),
        buttonRow(action, url, theme),
        ruleRow(theme),
        textRow('quiet', html`If the button does nothing, open this address:`, theme),
        textRow('small', textLink('small', url, url, theme), theme),
        textRow('quiet', html`${keepBoth} ${requested}${ignoreBoth}`, theme),
      ],
    }),
  };
}

/** The parts of a mail that depend on what the code does. */
interface MailPurpose {
  readonly subject: string;
  readonly heading: Html;
  /** The sentences about the effect of the code; empty if it signs in. */
  readonly purpose: string;
  /** Text of the button. */
  readonly action: string;
  readonly to: string;
}

function confirmation(host: string, site: Html, { name }: VerifiedProvider): MailPurpose {
  return {
    subject: `Confirm your address for ${host}`,
    heading: html`Confirm your address for ${site}`,
    purpose: `A sign-in to ${host} with ${name} named this address. The code confirms that the address is yours. After that, this ${name} account signs in as you.`,
    action: 'Confirm',
    to: 'confirm it',
  };
}

/** Returns a code as readers see it: in two groups of four digits. */
export function spacedCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** Who requested the mail. The time is in UTC, because the reader's time zone is not known. */
function requestedIn(asked: MailRequester): string {
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `This email was requested on ${time.format(asked.at)} UTC${agentInWords(asked)}.`;
}

const keep = 'Do not share this link. The first person who opens it is signed in as you.';
const ignore = 'If you did not request this email, ignore it. Without the link, no one can sign in.';
const keepBoth = 'Do not share the code or the link, and type the code only on this site.';
const ignoreBoth = 'If you did not request this email, ignore it. Without the code or the link, no one can sign in.';
