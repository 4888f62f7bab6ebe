import type { AdapterUser } from '../adapters.ts';
import { chain } from '../chain.ts';
import { need } from '../config/need.ts';
import type { Context } from '../context.ts';
import { JWTSessionError, SignOutError } from '../errors.ts';
import type { JWT } from '../jwt.ts';
import type { Awaitable, Cookie, JWTCallbackParams } from '../types.ts';
import { readChunked } from '../wire/cookie-chunks.ts';
import { clear, expiry, issue, readJwt, withSid } from './jwt.ts';
import { decoded } from './sealed-token.ts';
import type { SessionStrategy, SignedIn } from './strategy.ts';

/** Sessions that live in an encrypted cookie; re-issued whenever they are read. */
export const jwtStrategy: SessionStrategy = { start, read: readJwt, end, currentUser };

function start(context: Context, { user, account, profile, isNewUser }: SignedIn): Awaitable<readonly Cookie[]> {
  const sid = crypto.randomUUID();
  const token: JWT = { name: user.name, email: user.email, picture: user.image, sub: user.id?.toString() };
  const trigger = isNewUser ? 'signUp' : 'signIn';
  const params: JWTCallbackParams = { token, user, account, ...(profile && { profile }), isNewUser, trigger };
  return chain(context.settings.callbacks.jwt(params), (result) =>
    result === null ? clear(context) : issue(context, withSid(result, sid), expiry(context)),
  );
}

async function end(context: Context): Promise<readonly Cookie[]> {
  const { settings } = context;
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  if (value !== undefined) {
    const payload = await decoded(context, value);
    if (payload instanceof JWTSessionError)
      await settings.logger.error(new SignOutError('the session could not be read', payload));
    else await settings.emit('signOut', { token: payload });
  }
  return clear(context);
}

async function currentUser(context: Context, isConfirmed = false): Promise<AdapterUser | null> {
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  const store = value === undefined ? undefined : await context.settings.store();
  if (value === undefined || !store) return null;
  const payload = await decoded(context, value);
  if (payload instanceof JWTSessionError) {
    // A bad cookie is told where the session is read. That nobody is signed in, because `jwt.decode` failed, would be told nowhere.
    if (payload.cause?.unreadable !== true) await context.settings.logger.error(payload);
    return null;
  }
  // A session that the application has ended links nothing and adds nothing, though nobody has read it since.
  const token = isConfirmed
    ? await context.settings.callbacks.jwt({ token: payload } as unknown as JWTCallbackParams)
    : payload;
  return typeof token?.sub === 'string' ? need(store, 'getUser')(token.sub) : null;
}
