import type { Context } from '../context.ts';
import { currentOwner } from '../session/session.ts';
import type { SessionOwner } from '../session/strategy.ts';
import { requireMethod } from '../store/methods.ts';
import { cookieVault } from './cookie.ts';
import type { TokenCall } from './get.ts';
import { requireTokens, storeUnavailable } from './vault.ts';

/** Returns whose tokens a request may use; `undefined` without a session. */
export async function callOf(context: Context): Promise<TokenCall | undefined> {
  const { settings } = context;
  const owner = await currentOwner(context);
  if (!owner) return undefined;
  const userId = settings.hasAdapter ? owner.userId : '';
  if (requireTokens(settings.tokens).isInCookie) {
    // Without the account, the vault is empty: a call can name the account itself.
    const { account, sessionId = '' } = (await isLinked(context, owner)) ? owner : {};
    return { settings, owner: { userId, account }, vault: await cookieVault(context, sessionId) };
  }
  return { settings, owner: settings.hasAdapter ? { userId } : { userId, account: owner.account } };
}

/**
 * Returns whether the account of a session still belongs to its user. Nothing can remove the cookies of other browsers
 * when the account is unlinked.
 *
 * @throws {TokensUnavailable} if the store fails.
 */
async function isLinked({ settings }: Context, { userId, account }: SessionOwner): Promise<boolean> {
  if (!account || !settings.hasAdapter) return true;
  try {
    const store = await settings.store();
    const user = store && (await requireMethod(store, 'getUserByAccount')(account));
    return user ? String(user.id) === userId : false;
  } catch (error) {
    const failure = storeUnavailable(account.provider, 'the account of the session could not be read', error);
    settings.logger.error(failure);
    throw failure;
  }
}
