import type { Context } from '../context.ts';
import { MissingAdapter } from '../errors.ts';
import { requireMethod } from '../store/methods.ts';
import type { AdapterSession, AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import type { LegacySession } from '../types/legacy.ts';
import type { JWT } from '../types/session.ts';
import type { SessionFacts } from '../types/session-records.ts';
import type { User } from '../types/user.ts';
import { expiry, rowCookie } from './rows.ts';
import {
  answerOf,
  databaseSessionParams,
  jwtSessionParams,
  type SessionAnswer,
  type SessionHooks,
} from './strategy.ts';
import { issueToken, tokenExpiry } from './token.ts';

/** An old session that may be moved. */
export interface AcceptedSession {
  readonly session: LegacySession;
  readonly user: User;
  /** The user in the store; `undefined` without an adapter. */
  readonly stored: AdapterUser | undefined;
  /** Owner of the new session in the record store. */
  readonly ownerId: string;
  /** Id of the new session in a cookie. Parallel requests with the same old session derive the same one. */
  readonly id: string;
}

/** A session that takes the place of an old one. */
export interface NewSession {
  /** Set these in the browser. */
  readonly cookies: readonly Cookie[];
  /** Returns the session as its client may see it. */
  read(): Promise<SessionAnswer>;
}

/**
 * Starts a session that takes the place of an old one, and expires no later. With `renew: 'never'`, nothing is written:
 * the result can only be read.
 *
 * @returns `null` if `callbacks.jwt` refuses it.
 * @throws {AuthError} if the store, the record store or a callback fails.
 */
export function startFromLegacy(context: Context, accepted: AcceptedSession): Promise<NewSession | null> {
  return context.settings.strategy === 'jwt' ? startToken(context, accepted) : startRow(context, accepted);
}

async function startToken(context: Context, accepted: AcceptedSession): Promise<NewSession | null> {
  const { settings, call } = context;
  const { session, user, ownerId, id } = accepted;
  const { callbacks, emit }: SessionHooks = settings;
  const result = await callbacks.jwt({ token: claimsOf(session, user), user });
  if (result === null) return null;
  const facts = settings.hasFacts
    ? (await import('./facts.ts')).movedTokenFacts(settings, id, startOf(context, session))
    : undefined;
  const token: JWT = { sid: crypto.randomUUID(), ...(facts ? facts.mark(result) : result) };
  const limit = { until: Math.min(facts?.until ?? Number.POSITIVE_INFINITY, session.expires.getTime()) };
  const isWritten = call.renew !== 'never';
  const cookies = isWritten ? await issueToken(context, token, limit) : [];
  if (isWritten && facts && settings.records) {
    await (await import('./jwt-records.ts')).moveTokenRecord(context, facts, ownerId);
  }
  const read = async (): Promise<SessionAnswer> => {
    const params = jwtSessionParams(token, tokenExpiry(context, limit), facts?.facts, undefined);
    const shown = await callbacks.session(params);
    await emit('session', { session: shown, token });
    return answerOf(shown, []);
  };
  return { cookies, read };
}

/** The times and ids of the old token do not count for the new one. */
function claimsOf({ claims = {}, userId }: LegacySession, { name, email, image }: User): JWT {
  const { iat: _, exp: __, nbf: ___, jti: ____, latchkey: _____, ...own } = claims;
  return { name, email, picture: image, ...own, sub: userId };
}

async function startRow(context: Context, { session: old, stored: user }: AcceptedSession): Promise<NewSession> {
  const { settings, call } = context;
  const store = await settings.store();
  if (!store || !user) throw new MissingAdapter('database sessions need an `adapter`. Add one');
  const latest = expiry(context);
  const row: AdapterSession = {
    sessionToken: await settings.session.generateSessionToken(),
    userId: user.id,
    expires: old.expires < latest ? old.expires : latest,
  };
  const isWritten = call.renew !== 'never';
  const create = async (): Promise<AdapterSession> =>
    settings.records
      ? (await import('./database-records.ts')).moveRow(context, store, row, startOf(context, old))
      : requireMethod(store, 'createSession')(row);
  const created = isWritten ? await create() : row;
  const facts = async (): Promise<SessionFacts | null> =>
    settings.records && isWritten ? (await import('./database-records.ts')).rowFacts(context, created) : null;
  const { callbacks, emit }: SessionHooks = settings;
  const read = async (): Promise<SessionAnswer> => {
    const shown = await callbacks.session(databaseSessionParams(created, user, facts, undefined));
    await emit('session', { session: shown });
    return answerOf(shown, []);
  };
  return { cookies: isWritten ? [rowCookie(context, created)] : [], read };
}

/** The old session counts from its beginning if that is known, for `session.maxLifetime`. */
function startOf({ now }: Context, { issuedAt }: LegacySession): Date {
  return issuedAt && issuedAt < now ? issuedAt : now;
}
