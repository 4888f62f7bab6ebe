import { handle } from '../auth.ts';
import type { Reply } from '../context.ts';
import { actionRequest } from './incoming.ts';
import { type Host, JSON_TYPE, type ServerCall } from './server-call.ts';
import { successOf } from './session.ts';

/**
 * Reads an action by GET, as a script of the visitor's browser does that asks for JSON. Sets no cookies.
 *
 * @throws {AuthError} For any reply but a success.
 */
export async function readAsScript(
  { settings, options, base }: ServerCall,
  { headers }: Host,
  action: 'account' | 'sessions',
): Promise<Reply> {
  const own = new Headers(headers);
  own.set('accept', JSON_TYPE);
  const incoming = actionRequest(`${base}/${action}`, own);
  return successOf(
    await handle(incoming, settings, { ...options, forms: 'host-checked', renew: 'never', cookies: 'session' }),
  );
}
