import type { AdapterSession } from './adapters.ts';
import type {
  AuthConfig,
  Awaitable,
  CallbacksOptions,
  DefaultSession,
  Optional,
  Session,
  SessionCallbackParams,
} from './types.ts';

type CallbacksWith<S> = Omit<Optional<CallbacksOptions>, 'session'> & {
  /** What the client may see of the session. Default: name, email and image of the user, and `expires`. */
  session?: ((params: SessionCallbackParams) => Awaitable<S>) | undefined;
};

/**
 * A configuration from which the type of the session is inferred, for bindings:
 * `function bind<S extends DefaultSession = Session>(config: ConfigWith<S>): () => Promise<SessionFrom<S> | null>`.
 */
export type ConfigWith<S> = Omit<AuthConfig, 'callbacks' | 'raw'> & { callbacks?: CallbacksWith<S> | undefined };

/** The session that a client gets when `callbacks.session` returns `S`. */
export type SessionFrom<S> = unknown extends S ? Session : DefaultSession extends S ? Session : Exposed<S>;

type Given = SessionCallbackParams['session'];
type StoreOnly = Exclude<keyof AdapterSession, 'expires'>;

/**
 * What is left of `S` outside the callback. The callback's own `session` has the members of both strategies: those that only
 * the store has may be absent, `expires` is text, and a user that is handed on untouched is any user.
 */
export type Exposed<S> =
  S extends Pick<Given, StoreOnly>
    ? Omit<S, StoreOnly | 'expires' | 'user'> & Partial<Pick<S, StoreOnly>> & { expires: string; user: UserOf<S> }
    : S extends { expires: Given['expires'] }
      ? Omit<S, 'expires'> & { expires: string }
      : S;

type UserOf<S> = S extends { user: infer U } ? (Same<U, Given['user']> extends true ? Session['user'] : U) : undefined;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
