import { readActor } from '../account/actor.ts';
import { accountAddress, partAddress, signInAgainAddress } from '../account/addresses.ts';
import { confirmation } from '../account/delete.ts';
import { isRecent } from '../account/recent.ts';
import { languageOf } from '../config/language.ts';
import type { Context, Reply } from '../context.ts';
import { deletePage } from '../views/account/delete.ts';
import { pageReply } from '../wire/page.ts';

/** `GET account/delete`: asks the visitor to type the address or name of the account. */
export async function deleteForm(context: Context): Promise<Reply> {
  const { settings, csrfToken } = context;
  const actor = await readActor(context);
  if (!actor || !(await isRecent(actor))) return { redirect: signInAgainAddress(context) };
  const page = deletePage({
    ...{ theme: settings.pageTheme, csrfToken },
    language: await languageOf(context),
    confirmation: confirmation(actor.user),
    action: partAddress(context, 'delete'),
    accountUrl: accountAddress(context),
  });
  return pageReply({ ...page, unlisted: true });
}
