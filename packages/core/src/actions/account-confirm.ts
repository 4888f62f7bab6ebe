import { askedChange, type Confirmation, confirmAddress as confirm } from '../account/confirm-email.ts';
import { accountUrl, partUrl } from '../account/urls.ts';
import { languageOf } from '../config/language.ts';
import { pageAddress } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { RateLimited } from '../errors.ts';
import { confirmAddressPage } from '../views/account/confirm.ts';
import { pageReply } from '../wire/page.ts';
import { isForCaller, wantsJson } from './replies.ts';
import { noCache } from './session.ts';

/** `GET account/confirm`: asks for the code of the mail, or for a click if the visitor has opened its link. */
export async function confirmAddressForm(context: Context): Promise<Reply> {
  const { settings, csrfToken, query } = context;
  const asked = await askedChange(context);
  const token = query['token'];
  const page = confirmAddressPage({
    ...{ theme: settings.pageTheme, csrfToken },
    language: await languageOf(context),
    address: asked?.pending.to,
    token: asked && token !== undefined && equal(token, asked.pending.token) ? token : undefined,
    hasError: query['error'] !== undefined,
    action: partUrl(context, 'confirm'),
    accountUrl: accountUrl(context),
  });
  return pageReply({ ...page, unlisted: true, referrerPolicy: 'strict-origin' });
}

/** `POST account/confirm`: changes the address. */
export async function confirmAddress(context: Context): Promise<Reply> {
  const { settings, origin, incoming } = context;
  const { cookies, error, isOpen = false } = await confirmation(context);
  if (!error) {
    if (wantsJson(incoming)) return { headers: noCache, body: { changed: true }, cookies };
    return { redirect: pageAddress(origin, accountUrl(context), { done: 'email' }), cookies };
  }
  const { type } = error;
  // The reply to an error carries these cookies, too.
  context.spentCookies.push(...cookies);
  if (wantsJson(incoming) || isForCaller(context, error)) throw error;
  settings.logger.error(error);
  const page = isOpen ? partUrl(context, 'confirm') : accountUrl(context);
  return { redirect: pageAddress(origin, page, { error: type }), refused: true };
}

async function confirmation(context: Context): Promise<Confirmation> {
  try {
    return await confirm(context);
  } catch (error) {
    if (error instanceof RateLimited) return { error, cookies: [] };
    throw error;
  }
}
