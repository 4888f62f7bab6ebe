import type { AccountSettings } from '../config/settings.ts';
import type { Context, Fields, Reply } from '../context.ts';
import * as session from '../session/session.ts';
import type { Store } from '../store/store.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import type { SessionFacts } from '../types/session-records.ts';

/** The visitor who reads or changes the own account. */
export interface AccountActor {
  readonly context: Context;
  readonly user: AdapterUser;
  readonly store: Store;
  readonly account: AccountSettings;
  /** How the session began; `null` if that is not known. */
  readonly facts: SessionFacts | null;
}

/** A change of the account. It is called after a recent sign-in, and counted against the limit of changes. */
export type AccountChange = (actor: AccountActor, fields: Fields) => Promise<AccountChanged>;

/** The result of a change. */
export interface AccountChanged {
  /** What has changed: the page of the account gets it as `?done=`. */
  readonly done: string;
  /** Cookies to set, for example those of a session that was issued again. Default: none. */
  readonly cookies?: readonly Cookie[] | undefined;
  /** What scripts and the function get: data that JSON can carry. Default: `{}`. */
  readonly result?: object | undefined;
  /** The whole reply, for example a download. Default: a redirect to the page of the account, or `result` as JSON. */
  readonly reply?: Reply | undefined;
}

/**
 * Returns the signed-in visitor; `null` without a session that is still valid. The application and the record store are
 * asked, also within `revocationLag`.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function readActor(context: Context): Promise<AccountActor | null> {
  const { account } = context.settings;
  const store = await context.settings.store();
  const user = account && store && (await session.currentUser(context, true));
  return user ? { context, user, store, account, facts: await session.currentFacts(context) } : null;
}
