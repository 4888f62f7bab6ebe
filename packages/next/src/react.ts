export {
  ClientFetchError,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
} from '@latchkey/core/client';
export { __NEXTAUTH, type AuthClientConfig } from './client/addresses.ts';
export {
  SessionContext,
  type SessionContextValue,
  SessionProvider,
  type SessionProviderProps,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from './client/provider.ts';
export { getCsrfToken, getProviders } from './client/requests.ts';
export { type GetSessionParams, getSession } from './client/session.ts';
export { signIn } from './client/sign-in.ts';
export { type SignOutParams, type SignOutResponse, signOut } from './client/sign-out.ts';
export type { SessionLike, SessionOf } from './client/types.ts';
