import { nameOfProvider } from '../config/provider.ts';
import type { Context, RoutedRequest } from '../context.ts';
import { AuthError, CredentialsSignin, MissingCSRF, OAuthCallbackError, RateLimited } from '../errors.ts';
import type { SignInProblem } from '../views/sign-in/data.ts';

/** The facts about an error for the page to which a visitor is sent, as query parameters. */
export interface FailureParams extends Readonly<Record<string, string | undefined>> {
  /** A stable code. Errors of other classes are not shown to visitors. */
  readonly error: string;
  /** The code of refused credentials. */
  readonly code?: string | undefined;
  /** Id of the configured provider at which the sign-in failed. */
  readonly provider?: string | undefined;
  /** One of {@link reasons}. */
  readonly reason?: string | undefined;
  /** Seconds until the next attempt. */
  readonly retryAfter?: string | undefined;
}

/** The reasons that visitors may learn, by the value of `?error=`. */
const reasons: Readonly<Record<string, readonly unknown[]>> = {
  EmailSignin: ['address', 'delivery'],
  OAuthAccountNotLinked: ['offer', 'other-user'],
  OAuthCallbackError: ['cancelled'],
  OAuthCreateAccount: ['unverified'],
};

/** Returns the query parameters for an error. The error page learns only the code. */
export function failureParams(request: RoutedRequest, error: Error): FailureParams {
  const shown = shownCode(error);
  if (!(error instanceof AuthError) || error.kind !== 'signIn') return { error: shown };
  return {
    error: shown,
    code: error instanceof CredentialsSignin ? error.code : undefined,
    provider: providerIn(request, error),
    reason: isCanceled(request, error) ? 'cancelled' : reasonIn(error, shown),
    retryAfter: error instanceof RateLimited && error.retryAfter > 0 ? String(error.retryAfter) : undefined,
  };
}

/** Returns the problem for the page whose form has failed. The path names the provider, if the error does not. */
export function problemOf(context: Context, error: Error): SignInProblem {
  const { provider, retryAfter: _, ...params } = failureParams(context, error);
  const retryAfter = error instanceof RateLimited ? error.retryAfter : undefined;
  return { ...params, provider: provider ?? context.providerId, retryAfter };
}

/** Returns the value of `?error=`. */
export function shownCode(error: Error): string {
  return error instanceof AuthError ? (error.constructor as typeof AuthError).shown : AuthError.shown;
}

/** The path names the provider, if the error does not. A form that another site may have posted names none. */
function providerIn({ settings, origin, basePath, providerId }: RoutedRequest, error: AuthError): string | undefined {
  const id = error.cause?.['provider'] ?? (error instanceof MissingCSRF ? undefined : providerId);
  return typeof id === 'string' && nameOfProvider(settings, id, origin + basePath) !== undefined ? id : undefined;
}

function reasonIn(error: Error, shown: string): string | undefined {
  const reason = error instanceof AuthError ? error.cause?.['reason'] : undefined;
  return Object.hasOwn(reasons, shown) && reasons[shown]?.includes(reason) ? String(reason) : undefined;
}

/** The codes by which providers say that the visitor has canceled (RFC 6749 §4.1.2.1). LinkedIn has its own. */
const CANCELED: ReadonlySet<unknown> = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']);

/** Has the visitor canceled at the provider? A canceled sign-in has no code. */
export function isCanceled({ query }: RoutedRequest, error: Error): error is OAuthCallbackError {
  return error instanceof OAuthCallbackError && CANCELED.has(error.cause?.['error']) && query['code'] === undefined;
}
