/** Texts by the value of `?error=`, or of `?error=` and `?reason=`, see docs/errors.md. */
const texts: ReadonlyMap<string, string> = new Map([
  ['CredentialsSignin', 'These details are not correct.'],
  ['EmailSignin', 'The email could not be sent. Try again in a minute.'],
  ['EmailSignin address', 'Enter an email address, for example ada@example.com.'],
  ['OAuthCallbackError', 'Demo Provider did not complete the sign-in.'],
  ['OAuthCallbackError cancelled', 'You cancelled the sign-in at Demo Provider.'],
  ['OAuthSignin', 'Demo Provider cannot be reached right now.'],
  ['OAuthCreateAccount unverified', 'Verify your address at Demo Provider, then sign in again.'],
  ['OAuthAccountNotLinked', 'You have an account. Sign in the way you did before.'],
  ['OAuthAccountNotLinked offer', 'You have an account. Sign in as before, then add Demo Provider.'],
  ['OAuthAccountNotLinked other-user', 'This Demo Provider account belongs to another account here.'],
  ['RateLimited', 'Too many attempts. Try again in a few minutes.'],
  ['RecentSignInRequired', 'Sign in again to change your account.'],
  ['SessionRequired', 'Sign in to see this page.'],
]);

/**
 * Returns the message for a sign-in that has failed. Anyone can write any URL, so its values are only looked up.
 *
 * @param error The parameter `error` of the sign-in page's URL, or the `type` of an `AuthError`.
 * @param reason The parameter `reason`.
 */
export function signInError(error: string, reason?: string | undefined): string {
  return texts.get(`${error} ${reason}`) ?? texts.get(error) ?? 'You could not be signed in. Try again.';
}
