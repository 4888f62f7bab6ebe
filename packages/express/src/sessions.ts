import { type Env, sessionsOfVisitor } from '@latchkey/core/binding';
import type { EndedSessions, VisitorSessions } from '@latchkey/core/types';
import { withErrorHandlers } from './error-handlers.ts';
import type { ExpressVisit } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';
import { visitFor } from './visit.ts';

/**
 * Returns functions that list and end the sessions of the visitor. They need the option `session.records`.
 *
 * ```ts
 * app.get('/devices', async (req, res) => res.json(await sessionsFrom(req, config).list()));
 * app.post('/devices/others', async (req, res) => res.json(await sessionsFrom(req, config).endOthers()));
 * ```
 *
 * Only forms, scripts and links of this site can end sessions: a browser that names another site is refused. The
 * cookies of a session that has ended are cleared on the response.
 *
 * @param config The configuration of the handler.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 * @throws {AuthError} With each call, if the configuration has a problem, and if the record store fails. On Express 4,
 *   the error goes to the error handlers, as with `getSession`.
 */
export function sessionsFrom(
  request: ExpressVisit,
  config: ExpressAuthConfig,
  env: Env = process.env,
): VisitorSessions {
  if (!config) throw new TypeError('sessionsFrom(req, config) needs the configuration that ExpressAuth was given');
  const { list, end, endOthers, endAll } = sessionsOfVisitor(() => visitFor(request, config, env).visitor());
  const ending = (run: () => Promise<EndedSessions>) => withErrorHandlers(request, { count: 0, within: 0 }, run);
  return {
    list: () => withErrorHandlers(request, [], list),
    end: (id) => ending(() => end(id)),
    endOthers: () => ending(endOthers),
    endAll: () => ending(endAll),
  };
}
