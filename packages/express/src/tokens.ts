import { type Env, tokensOfVisitor } from '@latchkey/core/binding';
import type { VisitorTokens } from '@latchkey/core/types';
import type { ExpressVisit } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';
import { visitFor } from './visit.ts';

/**
 * Returns functions that use the provider tokens of the visitor. They need the option `tokens`. The response is marked
 * as private.
 *
 * ```ts
 * app.get('/calendars', async (req, res) => {
 *   const url = 'https://www.googleapis.com/calendar/v3/users/me/calendarList';
 *   const response = await tokensFrom(req, config).fetch('google', url);
 *   res.json(await response.json());
 * });
 * ```
 *
 * @param config The configuration of the handler.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 * @throws {TokensUnavailable} With `get` and `fetch`, if there is no valid token. On Express 4, pass it to `next`.
 * @throws {AuthError} With each call, if the configuration has a problem or lacks `tokens`.
 */
export function tokensFrom(request: ExpressVisit, config: ExpressAuthConfig, env: Env = process.env): VisitorTokens {
  if (!config) throw new TypeError('tokensFrom(req, config) needs the configuration that ExpressAuth was given');
  return tokensOfVisitor(() => visitFor(request, config, env).visitor());
}
