import { isPlainObject } from '../../config/merge.ts';
import type { ProviderUrls } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { CredentialsSignin } from '../../errors.ts';
import type { CredentialsConfig } from '../../providers/credentials.ts';
import type { Account, User } from '../../types.ts';
import { requestWithFields } from '../request.ts';

/**
 * Asks the application who typed these credentials.
 *
 * @throws {CredentialsSignin} when `authorize` returns nobody; what it throws itself passes unchanged.
 */
export async function finishCredentials(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<{ user: User & { id: string }; account: Account }> {
  const found = await provider.authorize(context.body, requestWithFields(context));
  if (!found) throw new CredentialsSignin('the credentials were refused', { provider: provider.id });
  const user = withTextId(found);
  return { user, account: { providerAccountId: user.id, type: 'credentials', provider: provider.id } };
}

/**
 * A copy, so that callbacks cannot change the application's own; but an object of its own class stays that object, with its getters
 * and methods, and gets the text of its id as the rest of the family does it, where it lets itself be changed.
 */
function withTextId(user: User): User & { id: string } {
  const id = user.id?.toString() ?? crypto.randomUUID();
  if (typeof user !== 'object' || isPlainObject(user)) return { ...(user as User), id };
  try {
    if (isWithId(user, id) || (Reflect.set(user, 'id', id) && isWithId(user, id))) return user;
  } catch {
    // A model that checks what is set.
  }
  return { ...user, id };
}

function isWithId(user: User, id: string): user is User & { id: string } {
  return user.id === id;
}
