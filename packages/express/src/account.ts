import { accountOfRequest, type Env } from '@latchkey/core/binding';
import type { ExportedAccount, RequestAccount } from '@latchkey/core/types';
import { REPORTED, withErrorHandlers } from './error-handlers.ts';
import type { ExpressVisit } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';
import { visitFor } from './visit.ts';

/**
 * Returns functions with which the visitor reads and changes the own account. They need the option `account`.
 *
 * ```ts
 * app.get('/me', async (req, res) => res.json(await accountFrom(req, config).list()));
 * app.post('/me/remove/:id', async (req, res) => res.json(await accountFrom(req, config).unlink(req.params.id)));
 * ```
 *
 * Only forms, scripts and links of this site can change the account: a browser that names another site is refused.
 *
 * @param config The configuration of the handler.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 * @throws {AuthError} With each call, if the configuration has a problem, and as the functions say:
 *   `RecentSignInRequired`, `LastWayIn`, `RateLimited` and others. On Express 4, the error goes to the error handlers,
 *   as with `getSession`.
 */
export function accountFrom(request: ExpressVisit, config: ExpressAuthConfig, env: Env = process.env): RequestAccount {
  if (!config) throw new TypeError('accountFrom(req, config) needs the configuration that ExpressAuth was given');
  const account = accountOfRequest(() => visitFor(request, config, env).visitor());
  return {
    list: () => withErrorHandlers(request, [], account.list),
    link: (provider, options) => withErrorHandlers(request, '/', () => account.link(provider, options)),
    unlink: (id) => withErrorHandlers(request, { count: 0 }, () => account.unlink(id)),
    renamePasskey: (id, name) => withErrorHandlers(request, { count: 0 }, () => account.renamePasskey(id, name)),
    changeName: (name) => withErrorHandlers(request, REPORTED, () => account.changeName(name)),
    changeEmail: (email) => withErrorHandlers(request, { sent: false }, () => account.changeEmail(email)),
    confirmEmail: (code) => withErrorHandlers(request, REPORTED, () => account.confirmEmail(code)),
    export: () => withErrorHandlers(request, NO_DATA, account.export),
    delete: () => withErrorHandlers(request, REPORTED, account.delete),
  };
}

/** The export for a request that cannot be read. */
const NO_DATA: ExportedAccount = {
  user: { id: '', name: null, email: '', emailVerified: null, image: null },
  accounts: [],
  passkeys: [],
  sessions: [],
};
