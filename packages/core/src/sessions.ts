/** The sessions of users, for jobs and for features without a visitor. */

import { type Env, withEnv } from './config/env.ts';
import { settingsFor } from './config/settings.ts';
import { SessionRecordsError } from './errors.ts';
import { endAllSessions, endSession } from './session/end.ts';
import { endedSessions, listSessions } from './session/list.ts';
import type { AuthConfig } from './types/config.ts';
import type { EndedSessions, SessionInfo } from './types/session-records.ts';

export type { EndedSessions, SessionInfo } from './types/session-records.ts';

/** Which sessions of a user end. */
export interface EndAllOptions {
  /** Id of a session that stays. Default: all end. */
  except?: string | undefined;
  /** Only sessions that began at this provider. Default: of all providers. */
  provider?: string | undefined;
  /** For the event `sessionEnded`. Default: `user`. */
  reason?: string | undefined;
}

/** The sessions of all users. */
export interface UserSessions {
  /** Returns the sessions of a user, at most 100. The last seen comes first. */
  list(userId: string): Promise<SessionInfo[]>;
  /** Ends a session of a user. An id that is unknown, or that belongs to another user, ends nothing. */
  end(userId: string, id: string): Promise<EndedSessions>;
  /** Ends all sessions of a user, or some of them. */
  endAll(userId: string, options?: EndAllOptions): Promise<EndedSessions>;
}

/**
 * Returns functions that list and end the sessions of any user. Call them from jobs, or behind a check of your own:
 * they do not ask who the visitor is.
 *
 * ```ts
 * const { endAll } = sessionsOf(config);
 * await endAll(user.id, { reason: 'password-changed' }); // { count: 3, within: 10 }
 * ```
 *
 * `userId` is the user's id in the store. Without an adapter, it is `<provider>:<providerAccountId>` for OAuth, and the
 * id that `authorize()` returned for credentials. If that id begins with the id of a provider and a colon, the owner is
 * `<credentials provider>:<id>`.
 *
 * @param env Environment variables, for the secret. Default: `process.env`.
 * @throws {SessionRecordsError} if the configuration has no `session.records`. The functions also throw it if the
 *   record store fails.
 */
export function sessionsOf(config: AuthConfig, env: Env = processEnv()): UserSessions {
  const settings = settingsFor(withEnv(config, env).config);
  if (!settings.records) {
    throw new SessionRecordsError('`sessionsOf` needs `session.records`. Set it in the configuration');
  }
  return {
    list: (userId) => listSessions(settings, new Date(), userId),
    end: async (userId, id) =>
      endedSessions(settings, await endSession(settings, new Date(), { userId, id, reason: 'user' })),
    endAll: async (userId, { except, provider, reason = 'user' } = {}) =>
      endedSessions(settings, await endAllSessions(settings, new Date(), { userId, except, provider, reason })),
  };
}

declare const process: { readonly env: Env } | undefined;

function processEnv(): Env {
  return typeof process === 'undefined' ? {} : process.env;
}
