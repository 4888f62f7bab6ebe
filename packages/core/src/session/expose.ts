import type { JWT } from '../jwt.ts';
import type { Session, SessionCallbackParams } from '../types.ts';

/**
 * The arguments of `callbacks.session` for a JWT session: of the token, only name, email and picture are offered for
 * exposure; the rest reaches the client when the callback says so.
 */
export function jwtSessionParams(
  token: JWT,
  expires: Date,
  update: { data: unknown } | undefined,
): SessionCallbackParams {
  const session: Session = {
    user: { name: token.name, email: token.email, image: token.picture },
    expires: expires.toISOString(),
  };
  const params = { session, token, ...(update && { newSession: update.data, trigger: 'update' }) };
  return params as unknown as SessionCallbackParams;
}
