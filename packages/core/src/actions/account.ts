import { type AccountChanged, readActor } from '../account/actor.ts';
import { recentActor } from '../account/recent.ts';
import { accountUrl } from '../account/urls.ts';
import { listWays } from '../account/ways.ts';
import { pageAddress } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, BadRequest, EmailSignInError, LastWayIn, RateLimited, UnknownAction } from '../errors.ts';
import { type AccountPart, accountParts } from './account-parts.ts';
import { isForCaller, wantsJson } from './replies.ts';
import { noCache } from './session.ts';

/** `GET account`: the page, or for scripts the ways to sign in as JSON. `GET account/<part>`: the page of the part. */
export async function showAccount(context: Context): Promise<Reply> {
  const { part, settings, incoming } = context;
  if (part === undefined && settings.account) {
    return wantsJson(incoming) ? listReply(context) : (await import('./account-page.ts')).accountPageReply(context);
  }
  const { GET } = partOf(context);
  if (!GET) throw unknownPart(context);
  return (await GET())(context);
}

async function listReply(context: Context): Promise<Reply> {
  const actor = await readActor(context);
  return { headers: noCache, body: { ways: actor ? await listWays(actor) : [] } };
}

/** `POST account/<part>`: changes the part, and leads back to the page of the account. */
export async function changeAccount(context: Context): Promise<Reply> {
  const { POST, change } = partOf(context);
  if (POST) return (await POST())(context);
  if (!change) throw unknownPart(context);
  try {
    const actor = await recentActor(context);
    await countChange(context, actor.user.id);
    return changedReply(context, await (await change())(actor, context.body));
  } catch (error) {
    return refusedReply(context, error);
  }
}

/** @throws {UnknownAction} if the path names no part, or one that is left out. */
function partOf(context: Context): AccountPart {
  const { part = '', settings } = context;
  const rows: Readonly<Record<string, AccountPart>> = accountParts;
  const row = Object.hasOwn(rows, part) ? rows[part] : undefined;
  const exists = settings.account || part === 'sign-in';
  if (!row || !exists || (row.feature && settings.account?.without.has(row.feature))) throw unknownPart(context);
  return row;
}

function unknownPart({ part, incoming: { method } }: Context): UnknownAction {
  return new UnknownAction('the account has no such part, or the part does not answer this method', { part, method });
}

async function countChange(context: Context, userId: string): Promise<void> {
  if (context.settings.config.rateLimit === false) return;
  const { countAccountChange } = await import('../rate-limit/reserve.ts');
  await countAccountChange(context, userId);
}

function changedReply(context: Context, changed: AccountChanged): Reply {
  const { done, next, cookies = [], result = {}, file } = changed;
  if (wantsJson(context.incoming)) return { headers: noCache, body: result, cookies };
  if (file)
    return {
      headers: { ...noCache, 'content-disposition': `attachment; filename="${file.name}"` },
      json: file.text,
      cookies,
    };
  return { redirect: next ?? pageAddress(context.origin, accountUrl(context), { done }), cookies };
}

/** @throws the error, unless the page of the account explains it. */
function refusedReply(context: Context, error: unknown): Reply {
  const { settings, origin, incoming } = context;
  const code = codeOf(error);
  if (code === undefined || wantsJson(incoming) || isForCaller(context, error)) throw error;
  if (error instanceof AuthError) settings.logger.error(error);
  return { redirect: pageAddress(origin, accountUrl(context), { error: code }), refused: true };
}

/** Returns the code by which the page of the account explains an error; `undefined` for others. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof BadRequest) return 'BadRequest';
  if (error instanceof EmailSignInError) return EmailSignInError.shown;
  return error instanceof LastWayIn || error instanceof RateLimited ? error.type : undefined;
}
