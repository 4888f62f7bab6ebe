import type { Context, Reply } from '../context.ts';
import { revisionCookies } from '../session/revision.ts';
import { strategyOf } from '../session/strategy.ts';

/** `POST signout`: ends the session, in the browser and in the store. */
export async function signOut(context: Context): Promise<Reply> {
  const strategy = await strategyOf(context.settings);
  return { redirect: context.callbackUrl, cookies: [...(await strategy.end(context)), ...revisionCookies(context)] };
}
