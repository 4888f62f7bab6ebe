import { H3Auth as auth } from '@latchkey/h3';

// Named one by one, so that `declare module '@latchkey/nuxt/server'` extends the interfaces themselves.
export type {
  Account,
  AccountWay,
  ChangedWays,
  DefaultSession,
  EndedSessions,
  MailStatus,
  Profile,
  RequestAccount,
  Session,
  SessionInfo,
  User,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
export {
  AuthError,
  assertConfig,
  CredentialsSignin,
  customFetch,
  defineConfig,
  type H3AuthConfig,
  type H3AuthOptions,
  type H3AuthResult,
  LastWayIn,
  RecentSignInRequired,
  SessionRequired,
  TokensUnavailable,
} from '@latchkey/h3';

/**
 * Creates the middleware and the functions of an application on Nuxt. The module mounts `handler`.
 *
 * ```ts
 * // server/utils/auth.ts
 * export const { handler, auth, requireSession, signIn, signOut, update } = H3Auth({ providers: [GitHub] });
 * ```
 *
 * It is `H3Auth` of `@latchkey/h3` with the cookie `authjs.revision`, by which pages notice a changed session.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process; on Cloudflare Workers those of the event.
 * @param options As for `@latchkey/h3`.
 */
export const H3Auth: typeof auth = (config, env, options) => auth(config, env, { hasClient: true, ...options });
