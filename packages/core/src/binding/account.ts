import type { Fields, Reply } from '../context.ts';
import { AuthError } from '../errors.ts';
import type {
  AccountWay,
  AskedAddress,
  ChangedWays,
  LinkOptions,
  RequestAccount,
  VisitorAccount,
} from '../types/account.ts';
import type { ExportedAccount } from '../types/exported-account.ts';
import type { Awaitable } from '../types/user.ts';
import { readAsScript } from './reading.ts';
import { callAction, JSON_TYPE, type ServerCall, serverCall } from './server-call.ts';
import { successOf } from './session.ts';
import { requireSameOrigin, type Visitor } from './sessions.ts';

/**
 * Returns the functions with which a visitor reads and changes the own account.
 *
 * ```ts
 * const account = accountOfVisitor(() => ({ configured: withEnv(config, process.env), host }));
 * await account.unlink(id); // { count: 1 }
 * ```
 *
 * @param open Called with each call of a function.
 * @throws {AuthError} With each call, if the configuration has a problem or lacks `account`, and as the functions say.
 */
export function accountOfVisitor(open: () => Awaitable<Visitor>): VisitorAccount {
  const change = async (part: string, fields: Fields): Promise<Reply> => changeAccount(await open(), part, fields);
  const changeWays = async (part: string, fields: Fields): Promise<ChangedWays> =>
    successOf(await change(part, fields)).body as ChangedWays;
  return {
    list: async () => listWays(await open()),
    link: (async (provider, options) => linkProvider(await open(), provider, options)) as VisitorAccount['link'],
    unlink: (id) => changeWays('unlink', { id }),
    renamePasskey: (id, name) => changeWays('passkey', { id, name }),
    changeName: async (name) => void successOf(await change('name', { name })),
    changeEmail: async (email) => successOf(await change('email', { email })).body as AskedAddress,
    confirmEmail: async (code) => void successOf(await change('confirm', { code })),
    export: async () => successOf(await change('export', {})).body as ExportedAccount,
    delete: async () => void successOf(await change('delete', {})),
  };
}

/** Returns the same functions for a framework that leaves redirects to the application. */
export function accountOfRequest(open: () => Awaitable<Visitor>): RequestAccount {
  const { link, ...others } = accountOfVisitor(open);
  return { ...others, link: (provider, options) => link(provider, { ...options, redirect: false }) };
}

async function listWays(visitor: Visitor): Promise<AccountWay[]> {
  const { body } = await readAsScript(accountCall(visitor), visitor.host, 'account');
  return (body as { ways: AccountWay[] }).ways;
}

/** @param fields `callbackUrl` is where a visitor comes back to who has to sign in again. Default: the page. */
function changeAccount(visitor: Visitor, part: string, fields: Fields): Promise<Reply> {
  const own = requireSameOrigin(visitor);
  const { host } = own;
  const callbackUrl = fields['callbackUrl'] ?? host.headers.get('referer') ?? host.home ?? '/';
  const request = { action: 'account', part, fields: { ...fields, callbackUrl }, accept: JSON_TYPE } as const;
  return callAction(accountCall(own), host, request);
}

async function linkProvider(
  visitor: Visitor,
  provider: string,
  { redirectTo, redirect = true }: LinkOptions = {},
): Promise<string> {
  const reply = await changeAccount(visitor, 'link', { provider, callbackUrl: redirectTo });
  const { url } = successOf(reply).body as { url: string };
  return redirect && visitor.host.redirect ? visitor.host.redirect(url) : url;
}

/** @throws {AuthError} If users cannot manage their accounts. */
function accountCall({ configured, host }: Visitor): ServerCall {
  const call = serverCall(configured, host);
  if (call.settings.account) return call;
  throw new AuthError('the functions of accounts need the option `account`. Set it in the configuration');
}
