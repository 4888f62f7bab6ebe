import { handle } from '../auth.ts';
import type { Incoming, Reply } from '../context.ts';
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
  const incoming: Incoming = {
    method: 'GET',
    url: `${base}/${action}`,
    header: (name) => own.get(name) ?? undefined,
    headers: () => new Headers(own),
    body: async () => undefined,
  };
  return successOf(
    await handle(incoming, settings, { ...options, forms: 'host-checked', renew: 'never', cookies: 'session' }),
  );
}
