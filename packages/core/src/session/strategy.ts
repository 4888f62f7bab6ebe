import type { Context } from '../context.ts';
import type { Authentication } from '../identity/proof.ts';
import type { AdapterSession, AdapterUser } from '../types/adapter.ts';
import type { NoSession } from '../types/cause.ts';
import type { Cookie, EventCallbacks, JWTCallbackParams } from '../types/config.ts';
import type { JWT, Session } from '../types/session.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import type { Account, Awaitable, Profile, User } from '../types/user.ts';

/** A finished sign-in. */
export interface SignedIn {
  readonly user: User | AdapterUser;
  readonly account: Account;
  /** OAuth and OIDC only. */
  readonly profile?: Profile | undefined;
  /** With an adapter only. */
  readonly isNewUser?: boolean | undefined;
  /** How and when the visitor proved the account. Default: not known. */
  readonly authentication?: Authentication | undefined;
  /** Another browser may have requested the sign-in. Default: `false`. */
  readonly isOfOtherBrowser?: boolean | undefined;
}

/** The session of a request: the result of `callbacks.session`, or the reason why the request has no session. */
export type SessionAnswer = { readonly cookies: readonly Cookie[] } & (
  | { readonly session: NonNullable<unknown>; readonly reason?: undefined }
  | { readonly session: null; readonly reason: NoSession }
);

/** The answer without a session. */
export function noSession(reason: NoSession, cookies: readonly Cookie[] = []): SessionAnswer {
  return { session: null, reason, cookies };
}

/** The answer with the result of `callbacks.session`, which may be nothing. */
export function answerOf(session: unknown, cookies: readonly Cookie[]): SessionAnswer {
  return session === null || session === undefined
    ? noSession('session-callback-empty', cookies)
    : { session, cookies };
}

/** The step in which a session is read, so that a failure can name it. */
export interface ReadStep {
  /** The reason if this step fails. */
  failure: NoSession;
}

/** Data that a client sent to update its session. Not trustworthy. */
export interface SessionUpdate {
  readonly data: unknown;
}

/** The values of a user that a session token contains, as far as they have changed. */
export type ChangedUser = Pick<JWT, 'name' | 'email'>;

/** A session that was started. */
export interface StartedSession {
  /** Set these in the browser. */
  readonly cookies: readonly Cookie[];
  /** Id of the user of the session; `undefined` if no session was started, or it names no user. */
  readonly userId: string | undefined;
  /** Token of a database session. Default: the session is in a cookie. */
  readonly sessionToken?: string | undefined;
  /** Id of a session in a cookie; `undefined` if no option needs it, or if no session was started. */
  readonly sessionId?: string | undefined;
}

/** The end of a session. */
export interface EndedSession {
  /** Clear the browser's cookies. */
  readonly cookies: readonly Cookie[];
  /** The message for the `signOut` event; undefined if there was no session, or it could not be read or deleted. */
  readonly ended?: Parameters<EventCallbacks['signOut']>[0] | undefined;
}

/** To whom a session belongs. */
export interface SessionOwner {
  /** Id of the user. Without an adapter, it changes with each sign-in. */
  readonly userId: string;
  /** Id of the session; `undefined` if no option needs it. */
  readonly sessionId?: string | undefined;
  /** The account with which a session in a cookie began; `undefined` if no option needs it. */
  readonly account?: { readonly provider: string; readonly providerAccountId: string } | undefined;
}

/** A way to store sessions: in an encrypted cookie (`jwt.ts`) or in the adapter (`database.ts`). */
export interface SessionStrategy {
  /** Starts a session for a finished sign-in, and ends the one that the browser had. */
  start(context: Context, signedIn: SignedIn): Promise<StartedSession>;
  /** Reads the request's session, and renews it if due. If the store is unavailable, the cookies are kept. */
  read(context: Context, update?: SessionUpdate): Promise<SessionAnswer>;
  /** Ends the request's session. Never throws: the cookies are cleared even if the store is unavailable. */
  end(context: Context): Promise<EndedSession>;
  /**
   * Returns the user of the request's session from the store; `null` without a valid session.
   *
   * @param isConfirmed Also asks the application's callback and the record store whether the session is still valid.
   * Required before an account or a passkey is added to the user. Default: `false`.
   * @throws {SessionRecordsError} if the record store fails.
   */
  currentUser(context: Context, isConfirmed?: boolean): Promise<AdapterUser | null>;
  /**
   * Returns the record of the request's session by a call of its own; `null` without a live session, or without
   * records.
   *
   * @throws {SessionRecordsError} if the record store fails.
   */
  currentRecord(context: Context): Promise<SessionRecord | null>;
  /**
   * Returns how the request's session began; `null` without a live session, or if it is not known.
   *
   * @throws {SessionRecordsError} if the record store fails.
   */
  currentFacts(context: Context): Promise<SessionFacts | null>;
  /**
   * Returns to whom the request's session belongs; `null` without a live session. Asks the application whether the
   * session is still valid.
   *
   * @throws {SessionRecordsError} if the record store fails.
   * @throws {AdapterError} if the store fails.
   */
  currentOwner(context: Context): Promise<SessionOwner | null>;
  /**
   * Returns the cookies of a session whose user has a new name or address, issued again. Empty if the session is kept
   * in the store, where the user has changed already.
   */
  changeUser(context: Context, changed: ChangedUser): Promise<readonly Cookie[]>;
  /**
   * Returns the id of the user of the request's session, which is '' if the session names no user; `undefined` without
   * a valid session. Does not renew the session, and does not ask the application. Never throws.
   */
  ownerOf(context: Context): Promise<string | undefined>;
}

/** The session of a request: the strategy that reads it, and the context with the one session cookie that counts. */
export interface CurrentSession {
  readonly strategy: SessionStrategy;
  readonly context: Context;
}

/**
 * The application's callbacks and events with the arguments that each strategy has. The public types, which are those
 * of Auth.js v5, demand the arguments of both strategies at once.
 */
export interface SessionHooks {
  readonly callbacks: {
    jwt(params: JwtParams | JWTCallbackParams): Awaitable<JWT | null>;
    session(params: JwtSessionParams | DatabaseSessionParams): Awaitable<Session>;
  };
  emit(event: 'session', message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
}

/** Arguments of `callbacks.jwt` when a session is read. */
type JwtParams = Pick<JWTCallbackParams, 'token' | 'trigger' | 'session'>;

interface UpdateParams {
  readonly newSession?: unknown;
  readonly trigger?: 'update' | undefined;
  facts(): Promise<SessionFacts | null>;
}

interface JwtSessionParams extends UpdateParams {
  readonly session: Session;
  readonly token: JWT;
}

interface DatabaseSessionParams extends UpdateParams {
  readonly session: AdapterSession & { user: AdapterUser };
  readonly user: AdapterUser;
}

/** Makes the arguments of `callbacks.jwt` when a session is read. */
export function jwtCallbackParams(token: JWT, update: SessionUpdate | undefined): JwtParams {
  return { token, ...(update && { trigger: 'update' }), session: update?.data };
}

/**
 * Makes the arguments of `callbacks.session` for a session in a cookie.
 *
 * @param facts `undefined` if they are not known.
 */
export function jwtSessionParams(
  token: JWT,
  expires: Date,
  facts: SessionFacts | undefined,
  update: SessionUpdate | undefined,
): JwtSessionParams {
  const user = { name: token.name, email: token.email, image: token.picture };
  const session = { user, expires: expires.toISOString() };
  const known = async (): Promise<SessionFacts | null> => facts ?? null;
  return { session, token, facts: known, ...(update && { newSession: update.data, trigger: 'update' }) };
}

/** Makes the arguments of `callbacks.session` for a session in the store. */
export function databaseSessionParams(
  session: AdapterSession,
  user: AdapterUser,
  facts: DatabaseSessionParams['facts'],
  update: SessionUpdate | undefined,
): DatabaseSessionParams {
  return {
    session: { ...session, user },
    user,
    facts,
    newSession: update?.data,
    ...(update && { trigger: 'update' }),
  };
}
