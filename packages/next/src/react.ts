export {
  ClientFetchError,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
} from '@latchkey/core/client';
export {
  type GetSessionParams,
  getSession,
  type SessionLike,
  type SessionOf,
  type SignOutParams,
  type SignOutResponse,
  signIn,
  signOut,
} from './client/actions.ts';
export {
  SessionContext,
  type SessionContextValue,
  SessionProvider,
  type SessionProviderProps,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from './client/provider.ts';
export { __NEXTAUTH, type AuthClientConfig, getCsrfToken, getProviders } from './client/requests.ts';
