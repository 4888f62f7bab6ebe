import { type AccountChange, readActor } from '../account/actor.ts';
import { confirmation, deleteOwner, isConfirmation } from '../account/delete.ts';
import { notify } from '../account/notices.ts';
import { isRecent } from '../account/recent.ts';
import { accountUrl, partUrl, urlToSignInAgain } from '../account/urls.ts';
import { languageOf } from '../config/language.ts';
import type { Context, Reply } from '../context.ts';
import { BadRequest } from '../errors.ts';
import { deletePage } from '../views/account/delete.ts';
import { pageReply } from '../wire/page.ts';
import { signedOutCookies } from './sessions.ts';

/** `GET account/delete`: asks the visitor to type the address or name of the account. */
export async function deleteForm(context: Context): Promise<Reply> {
  const { settings, csrfToken } = context;
  const actor = await readActor(context);
  if (!actor || !(await isRecent(actor))) return { redirect: urlToSignInAgain(context) };
  const page = deletePage({
    ...{ theme: settings.pageTheme, csrfToken },
    language: await languageOf(context),
    confirmation: confirmation(actor.user),
    action: partUrl(context, 'delete'),
    accountUrl: accountUrl(context),
  });
  return pageReply({ ...page, unlisted: true });
}

/**
 * `POST account/delete`: deletes the account of the visitor. On the built-in page, the visitor types the address or
 * name of the account into the field `confirm`. Without that field, the application has asked the visitor itself.
 *
 * @throws {BadRequest} if the field has another text.
 */
export const deleteAccount: AccountChange = async (actor, fields) => {
  const { context, user } = actor;
  const typed = fields['confirm'];
  if (typed !== undefined && !isConfirmation(typed, user)) {
    throw new BadRequest('the field `confirm` must be the address or the name of the account');
  }
  // The reply to an error carries these cookies, too: the session has ended.
  const clock = (): Date => context.call.now?.() ?? new Date();
  await deleteOwner(actor, clock, async () => void context.spentCookies.push(...(await signedOutCookies(context))));
  await notify(context, user.email, { kind: 'accountDeleted' });
  return { next: context.origin, result: { deleted: true } };
};
