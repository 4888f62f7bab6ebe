import { type AccountSettings, DEFAULT_ACCOUNT, type Settings } from '../config/settings.ts';
import type { Context, Fields } from '../context.ts';
import * as session from '../session/session.ts';
import type { Store } from '../store/store.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import type { SessionFacts } from '../types/session-records.ts';

/** A user whose account is read or changed, by the user or by a job of the application. */
export interface AccountOwner {
  readonly settings: Settings;
  readonly account: AccountSettings;
  readonly store: Store;
  readonly user: AdapterUser;
  readonly now: Date;
  /** The request of the visitor. Default: a job. */
  readonly context?: Context | undefined;
}

/** The visitor who reads or changes the own account. */
export interface AccountActor extends AccountOwner {
  readonly context: Context;
  /** How the session began; `null` if that is not known. */
  readonly facts: SessionFacts | null;
}

/** A change of the account. It is called after a recent sign-in, and counted against the limit of changes. */
export type AccountChange = (actor: AccountActor, fields: Fields) => Promise<AccountChanged>;

/** The result of a change. */
export interface AccountChanged {
  /** The code of the change: the page of the account gets it as `?done=`. Default: nothing has changed. */
  readonly done?: string | undefined;
  /** URL of the page that follows. Default: the page of the account. */
  readonly next?: string | undefined;
  /** Cookies to set, for example those of a session that was issued again. Default: none. */
  readonly cookies?: readonly Cookie[] | undefined;
  /** The data that scripts and the function get, which JSON can carry. Default: `{}`. */
  readonly result?: object | undefined;
  /** A JSON file that the browser saves, in the place of a page. Default: none. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

/**
 * Returns the signed-in visitor; `null` without a session that is still valid. The application and the record store are
 * asked, also within `revocationLag`.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function readActor(context: Context): Promise<AccountActor | null> {
  const { settings, now } = context;
  // Guided linking, too, asks for a recent sign-in.
  const { account = DEFAULT_ACCOUNT } = settings;
  const store = await settings.store();
  const user = store && (await session.currentUser(context, true));
  return user ? { context, settings, account, store, user, now, facts: await session.currentFacts(context) } : null;
}
