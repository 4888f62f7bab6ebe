import type { AdapterUser } from '../adapters.ts';
import { chain } from '../chain.ts';
import { lazily } from '../config/lazy.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import type { Account, Awaitable, Cookie, Profile, User } from '../types.ts';
import { readJwt } from './jwt.ts';

/** A finished sign-in. */
export interface SignedIn {
  readonly user: User | AdapterUser;
  readonly account: Account;
  /** OAuth and OIDC only. */
  readonly profile?: Profile | undefined;
  /** With an adapter only. */
  readonly isNewUser?: boolean | undefined;
}

/** What the session action answers. */
export interface SessionAnswer {
  /** What `callbacks.session` returned; `null` without a session. */
  readonly session: unknown;
  readonly cookies: readonly Cookie[];
}

/** Data that a client sent to update its session; not trustworthy. */
export interface SessionUpdate {
  readonly data: unknown;
}

/** How a signed-in visitor is remembered. */
export interface SessionStrategy {
  /** Turns a sign-in into cookies; whatever session the browser had is replaced. */
  start(context: Context, signedIn: SignedIn): Awaitable<readonly Cookie[]>;
  /** Reads, and where due extends, the session of the request. */
  read(context: Context, update?: SessionUpdate): Awaitable<SessionAnswer>;
  /** Ends the session and tells the `signOut` event. Never fails: the cookies go in any case. */
  end(context: Context): Promise<readonly Cookie[]>;
  /**
   * The user of the request's session as the store knows it. A broken session is none.
   *
   * @param isConfirmed Something is to be given to this user: the application is asked, too, whether the session goes on.
   */
  currentUser(context: Context, isConfirmed?: boolean): Promise<AdapterUser | null>;
}

const jwtStrategy = lazily(async () => (await import('./jwt-strategy.ts')).jwtStrategy);
const databaseStrategy = lazily(async () => (await import('./database.ts')).databaseStrategy);

/** The strategy of a configuration. */
export function strategyOf(settings: Settings): Awaitable<SessionStrategy> {
  return settings.strategy === 'jwt' ? jwtStrategy() : databaseStrategy();
}

/** `read` of the configuration's strategy. For tokens it is at hand: nearly every request asks for it. */
export function readStored(context: Context, update?: SessionUpdate): Awaitable<SessionAnswer> {
  if (context.settings.strategy === 'jwt') return readJwt(context, update);
  return chain(databaseStrategy(), (strategy) => strategy.read(context, update));
}
