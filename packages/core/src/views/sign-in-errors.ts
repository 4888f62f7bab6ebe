const tryAgain = 'Try again, or choose another way to sign in.';

/** What the sign-in page says, by `?error=`. A `Map`, so that names such as `__proto__` find nothing. */
const texts: ReadonlyMap<string, string> = new Map([
  ['Signin', `The sign-in could not be started. ${tryAgain}`],
  ['OAuthSignin', `That service could not be reached. ${tryAgain}`],
  ['OAuthCallbackError', `The sign-in was cancelled or refused. ${tryAgain}`],
  ['OAuthCreateAccount', 'Your account could not be created. Try again, or use a different account.'],
  ['EmailCreateAccount', 'Your account could not be created. Try again, or use a different address.'],
  ['Callback', 'The sign-in could not be completed. Try again, or use a different account.'],
  ['OAuthAccountNotLinked', 'To show that it is you, sign in the same way as the first time.'],
  ['AccountNotLinked', 'That belongs to a different account. Sign in the way you did before.'],
  ['EmailSignin', 'The email could not be sent. Check the address and try again.'],
  ['CredentialsSignin', 'Those details do not match. Check them and try again.'],
  ['RateLimited', 'That was tried too often. Please wait for some minutes, then try again.'],
  ['SessionRequired', 'Sign in to see that page.'],
  ['WebAuthnVerificationError', `Your passkey could not be checked. ${tryAgain}`],
  ['InvalidCheck', 'The sign-in took too long, or was started in another tab. Please start again.'],
  ['MissingCSRF', 'This page had been open for too long. Please try again.'],
  ['InvalidProvider', 'That way to sign in is not available. Choose one of those below.'],
]);

/** A sentence for the visitor; a general one for a code that we do not know. */
export function signInErrorText(code: string): string {
  return texts.get(code) ?? 'You could not be signed in. Please try again.';
}
