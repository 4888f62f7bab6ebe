import type { ProviderUrls } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { requestWithFields } from '../../entry/request.ts';
import { AuthError, CredentialsSignin } from '../../errors.ts';
import { isPlainObject } from '../../plain-object.ts';
import type { CredentialsConfig } from '../../providers/credentials.ts';
import type { User } from '../../types/user.ts';
import type { Authentication, Proof } from '../proof.ts';

const BY_PASSWORD: Authentication = { amr: ['pwd'] };

/**
 * Asks the application whose credentials these are.
 *
 * @throws {CredentialsSignin} if `authorize` returns no user; errors that it throws are passed on.
 * @throws {AuthError} if `authorize` returns something else than a user, or a user with an invalid id.
 */
export async function finishCredentials(context: Context, provider: CredentialsConfig & ProviderUrls): Promise<Proof> {
  const found = await provider.authorize(context.body, requestWithFields(context));
  if (!found) throw new CredentialsSignin('the credentials were refused', { provider: provider.id });
  const user = withTextId(checkedUser(found, provider), provider);
  const account = { providerAccountId: user.id, type: 'credentials', provider: provider.id } as const;
  return { user, account, credentials: context.body, authentication: BY_PASSWORD };
}

/** Such a value names no user: each sign-in would get an invented id. */
function checkedUser(found: NonNullable<unknown>, { id }: CredentialsConfig): User {
  if (typeof found === 'object' && !Array.isArray(found)) return found;
  const what = Array.isArray(found) ? 'an array' : `a ${typeof found}`;
  throw new AuthError(
    `\`authorize\` of the provider "${id}" returned ${what}, which is not a user. Return an object with the user's \`id\`, or null if the credentials are wrong`,
    { provider: id },
  );
}

/** Texts that JavaScript makes of a missing id, of a promise, and of an object. All such users would share one id. */
const NOT_AN_ID = /^(?:undefined|null|NaN|\[object [^\]]*\])$/;

function textId({ id: given }: User, { id }: CredentialsConfig): string {
  const text = given?.toString() ?? crypto.randomUUID();
  if (!NOT_AN_ID.test(text)) return text;
  throw new AuthError(
    `\`authorize\` of the provider "${id}" returned a user whose \`id\` is not one, but ${JSON.stringify(text)}. Return the user's id as a text`,
    { provider: id },
  );
}

/**
 * The user with its id as text. A plain object is copied, so that callbacks cannot change the application's own. An
 * instance of a class stays the same object with its getters and methods, if its id can be set; Auth.js v5 sets it,
 * too.
 */
function withTextId(user: User, provider: CredentialsConfig): User & { id: string } {
  const id = textId(user, provider);
  if (isPlainObject(user)) return { ...(user as User), id };
  try {
    if (hasId(user, id) || (Reflect.set(user, 'id', id) && hasId(user, id))) return user;
  } catch {
    // The setter of a model may throw; then the user is copied.
  }
  return { ...user, id };
}

function hasId(user: User, id: string): user is User & { id: string } {
  return user.id === id;
}
