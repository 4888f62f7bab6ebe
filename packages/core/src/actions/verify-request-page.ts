import { defaults } from '../config/defaults.ts';
import { languageOf } from '../config/language.ts';
import { pagePath } from '../config/paths.ts';
import { nameOfProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import type { PendingMail } from '../pending/kinds.ts';
import { pendingMail } from '../pending/mail.ts';
import type { MailStatus } from '../types/session.ts';
import { verifyRequestPage as verifyRequestView } from '../views/verify-request.ts';
import { pageReply } from '../wire/page.ts';
import { scriptUrl } from './asset.ts';

/** Milliseconds since 1970 from which the browser can have the mail sent again. */
export function resendTime({ token, sentAt }: PendingMail): number {
  return token === undefined ? 0 : sentAt + defaults.email.resendPause * 1000;
}

/**
 * `GET verify-request`: says that a mail was sent, asks for its code, and offers to send it again. Or redirects to the
 * application's own page.
 */
export async function verifyRequestPage(context: Context): Promise<Reply> {
  const { settings, origin, basePath, query, csrfToken, now } = context;
  const { pageTheme: theme, pages } = settings;
  if (pages.verifyRequest) return { redirect: pagePath(pages.verifyRequest, query) };
  const base = `${origin}${basePath}`;
  const mail = await pendingMail(context, query.provider);
  const page = verifyRequestView({
    ...{ theme, origin, csrfToken },
    language: await languageOf(context),
    scripts: [await scriptUrl(base, 'page.js')],
    hasError: query.error !== undefined,
    hadCode: query.code === '1',
    signInUrl: pages.signIn ?? `${base}/signin`,
    mail: mail && {
      address: shownAddress(mail),
      verifies: mail.resume && (nameOfProvider(settings, mail.resume.provider, base) ?? mail.resume.provider),
      codeUrl: mail.code === undefined ? undefined : `${base}/code/${mail.provider}`,
      isOver: mail.token === undefined,
      resendUrl: `${base}/signin/${mail.provider}`,
      secondsToWait: Math.max(0, Math.ceil((resendTime(mail) - now.getTime()) / 1000)),
    },
  });
  return pageReply({ ...page, unlisted: true });
}

/**
 * `GET code/<provider>`: what an application's own page shows of the mail that this browser has requested, as JSON.
 * Without a provider, the mail may be of any provider.
 */
export async function pendingMailStatus(context: Context): Promise<Reply> {
  const mail = await pendingMail(context, context.providerId);
  return { headers: { 'content-type': 'application/json' }, body: mail ? statusOf(mail, context) : null };
}

function statusOf(mail: PendingMail, { now }: Context): MailStatus {
  const { code, sentAt, expires } = mail;
  return {
    email: shownAddress(mail),
    code: code !== undefined,
    sentAt: new Date(sentAt).toISOString(),
    resendAt: new Date(mail.token === undefined ? now : resendTime(mail)).toISOString(),
    expires: new Date(expires).toISOString(),
  };
}

/** The address, or `a…@e….com` if the visitor has not typed it. */
function shownAddress({ identifier, isMasked }: PendingMail): string {
  if (!isMasked) return identifier;
  const at = identifier.lastIndexOf('@');
  if (at === -1) return `${first(identifier)}…`;
  const domain = identifier.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  return `${first(identifier)}…@${first(domain)}…${dot === -1 ? '' : domain.slice(dot)}`;
}

function first(text: string): string {
  return [...text].slice(0, 1).join('');
}
