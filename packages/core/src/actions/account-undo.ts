import { readStatement } from '../account/statement.ts';
import { undoChange } from '../account/undo.ts';
import { partUrl } from '../account/urls.ts';
import { languageOf } from '../config/language.ts';
import type { Context, Reply } from '../context.ts';
import { Verification } from '../errors.ts';
import { type UndoResult, undonePage, undoPage } from '../views/account/undo.ts';
import { pageReply } from '../wire/page.ts';
import { isForCaller } from './replies.ts';

/** `GET account/undo`: the page behind the link of a notice. It changes nothing, and does not call the store. */
export async function showUndo(context: Context): Promise<Reply> {
  const { settings, origin, csrfToken, query } = context;
  const statement = await readStatement(context, query['statement']);
  if (!statement) return resultReply(context, 'invalid', '');
  const { what, from, to } = statement;
  const page = undoPage({
    ...{ theme: settings.pageTheme, origin, csrfToken, what, from, to },
    language: await languageOf(context),
    statement: String(query['statement']),
    action: partUrl(context, 'undo'),
  });
  return reply(page);
}

/** `POST account/undo`: undoes the change. Its reader need not be signed in. */
export async function undo(context: Context): Promise<Reply> {
  const { statement } = context.body;
  const from = (await readStatement(context, statement))?.from ?? '';
  try {
    return await resultReply(context, await undoChange(context, statement), from);
  } catch (error) {
    if (!(error instanceof Verification) || isForCaller(context, error)) throw error;
    context.settings.logger.error(error);
    return resultReply(context, 'invalid', from);
  }
}

async function resultReply(context: Context, result: UndoResult, from: string): Promise<Reply> {
  const { settings, origin } = context;
  return reply(undonePage({ theme: settings.pageTheme, language: await languageOf(context), origin, result, from }));
}

/** The URL of the page is the link itself. With `no-referrer` browsers post the form with `Origin: null`. */
function reply(page: ReturnType<typeof undoPage>): Promise<Reply> {
  return pageReply({ ...page, unlisted: true, referrerPolicy: 'strict-origin' });
}
