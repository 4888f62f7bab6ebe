import type { Context, Reply } from '../context.ts';
import type { EmailProvider } from '../identity/email/begin.ts';
import { finishEmail, readLink } from '../identity/email/finish.ts';
import type { Link } from '../identity/email/token.ts';
import { settleEmail } from '../identity/settle-email.ts';
import { confirmEmailPage } from '../views/confirm-email.ts';
import { pageReply } from '../wire/page.ts';
import { completeSignIn } from './complete.ts';

/** The address of this answer is the link itself: it is neither passed on nor kept. */
const discreet = { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };

/**
 * A mailed link is used. With the provider option `confirm` the link itself only shows a page, whose form spends the token:
 * scanners that follow every link in a mail leave it alone.
 */
export async function emailCallback(context: Context, provider: EmailProvider): Promise<Reply> {
  const posted = context.incoming.method === 'POST';
  const link = readLink(posted ? { ...context.query, ...context.body } : context.query, provider);
  if (provider.confirm === true && !posted) return confirm(context, provider, link);
  const proof = await finishEmail(context, provider, link);
  const reply = await completeSignIn(context, { ...proof, settle: () => settleEmail(context, proof) });
  return { ...reply, headers: { ...reply.headers, ...discreet } };
}

async function confirm(context: Context, provider: EmailProvider, link: Link): Promise<Reply> {
  const { settings, csrfToken, callbackUrl } = context;
  const { theme } = settings;
  const page = confirmEmailPage({ theme, csrfToken, callbackUrl, ...link, action: provider.callbackUrl });
  // Not `no-referrer`: browsers would then post the form with `Origin: null`, which frameworks that check the origin refuse.
  return pageReply({ ...page, referrerPolicy: 'strict-origin' });
}
