import type { Cause } from '../types/cause.ts';

/** The texts of a cause. */
export interface CauseText {
  /** The event, in one sentence. */
  readonly text: string;
  /** Instruction, in one or two sentences. */
  readonly remedy: string;
  /** The facts that may be shown. Others never leave the process. */
  readonly facts: readonly string[];
}

/** Facts that each refusal may have. */
const OF_REFUSALS = ['type', 'provider', 'status', 'error', 'check', 'claim', 'host', 'method', 'by', 'retryAfter'];

function cause(text: string, remedy: string, ...facts: readonly string[]): CauseText {
  return { text, remedy, facts: [...OF_REFUSALS, ...facts] };
}

/** The one table of causes. Of several causes, the first that applies is reported. */
export const causes: Readonly<Record<Cause, CauseText>> = {
  // Before the cookie.
  configuration: cause(
    'The configuration has a problem, so no request is carried out.',
    'Correct the problem that `facts.message` and the log name.',
    'message',
  ),
  'host-untrusted': cause('The host of the request is not trusted.', 'If this is your site, set AUTH_URL to its URL.'),
  'base-path': cause(
    'The path is not one of an action below the base path.',
    'Use one base path in AUTH_URL, `basePath` and the route of the handler.',
    'path',
    'basePath',
  ),
  prerendering: cause(
    'The framework renders the page in advance, so there is no visitor.',
    'Read the session in pages that are rendered per request, or in the browser.',
  ),
  // The session cookie.
  'cookie-missing': cause(
    'The request has no session cookie.',
    'Sign in first. If the browser has the cookie, compare host, path and `SameSite` with the request.',
    'expected',
    'cookies',
  ),
  'cookie-prefix': cause(
    'The request has the session cookie under a name with another prefix.',
    'The cookie was set over https and this request came over http, or the other way round. Set AUTH_URL to the URL of the site.',
    'found',
    'expected',
  ),
  'cookie-of-other-library': cause(
    'The request has the session cookie of another library.',
    'Sign in once more, or set `legacy`. Set `cookies.sessionToken.name` only if that library writes the same format.',
    'found',
    'expected',
  ),
  'cookie-incomplete': cause(
    'A part of the session cookie is missing.',
    'Check which proxy or limit drops cookies. Return less from `callbacks.jwt`, or use database sessions.',
    'found',
    'missing',
    'chunks',
    'characters',
  ),
  'cookie-unreadable': cause(
    'No secret opens the session cookie.',
    'Compare AUTH_SECRET with its value in the process that set the cookie. After a rotation, keep the old secret in the list.',
    'found',
    'chunks',
    'characters',
    'secrets',
  ),
  // The token or the row.
  'strategy-mismatch': cause(
    'The session cookie was made with the other session strategy.',
    'Sign in once more. If processes differ, set the same `session.strategy` for all of them.',
    'strategy',
    'found',
    'characters',
  ),
  'token-expired': cause(
    'The session has expired.',
    'Sign in once more. `session.maxAge`, `jwt.maxAge` and `session.maxLifetime` set how long a session lasts.',
    'secondsAgo',
    'secret',
    'secrets',
    'chunks',
    'characters',
  ),
  'row-missing': cause(
    'The store has no session with this token.',
    'The session was ended, or another database is used. Compare the address of the database.',
    'found',
    'characters',
  ),
  'row-expired': cause(
    'The session in the store has expired.',
    'Sign in once more. `session.maxAge` sets how long a session lasts.',
    'found',
  ),
  'session-ended': cause(
    'The session was ended: by its user, by the application, or by the provider.',
    'Sign in once more. The event `sessionEnded` has the reason.',
    'strategy',
  ),
  'store-failed': cause(
    'The store failed.',
    'Check the store. The log has the error. The cookie is kept, so the visitor stays signed in.',
    'strategy',
  ),
  // The session of another library.
  'legacy-failed': cause(
    'The session of another library could not be read or moved.',
    'Check what the log names: a reader of `legacy`, or the store. The old cookie is kept.',
    'strategy',
  ),
  'legacy-refused': cause(
    'The session of another library has expired or was ended, or its user is not in the store.',
    'Sign in once more. If the ids of users have changed, set `user` of the reader.',
    'strategy',
  ),
  // Callbacks.
  'jwt-callback-null': cause(
    '`callbacks.jwt` returned `null`, which ends the session.',
    'If this is not intended, return the token.',
  ),
  'jwt-callback-threw': cause(
    '`callbacks.jwt` threw, or returned a token that no cookie can hold.',
    'Correct the callback. The log has the error.',
  ),
  'session-callback-empty': cause('`callbacks.session` returned nothing.', 'Return the session from the callback.'),
  'session-callback-threw': cause('`callbacks.session` threw.', 'Correct the callback. The log has the error.'),
  // Forms.
  'csrf-missing': cause(
    'The form has no CSRF token, or the request has no CSRF cookie.',
    'Fetch `GET csrf` in the same browser, and send its token as the field `csrfToken`.',
    'cookie',
    'field',
  ),
  'csrf-mismatch': cause(
    'The CSRF tokens of the form and of the cookie differ.',
    'Load the form again. The token changes at each sign-in and sign-out.',
  ),
  'origin-mismatch': cause(
    'The browser says that another site has sent the form.',
    'Send the form from the origin of the site. Behind a proxy, set AUTH_URL to the URL that visitors use.',
    'origin',
    'expected',
  ),
  method: cause('The action does not answer this method.', 'Use the method of the documentation.'),
  'provider-unknown': cause(
    'The path names a provider that is not configured, or that does not support the action.',
    'Compare the id in the path with `providers`.',
  ),
  'rate-limited': cause(
    'There were too many failed sign-ins, or too many mails.',
    'Wait. If all visitors are affected, check `rateLimit.trustedProxyHops`.',
  ),
  // The callback URL.
  'flow-missing': cause(
    'The browser has no cookie of a sign-in that this answer belongs to.',
    'Start the sign-in again, at the host of AUTH_URL. Cookies with `SameSite=Lax` are not sent with forms of other sites.',
    'expected',
  ),
  'flow-expired': cause('The sign-in took longer than 15 minutes.', 'Start the sign-in again.'),
  'flow-used': cause(
    'This answer of the provider was used before.',
    'Start the sign-in again. Reloading the page of a callback has this effect.',
  ),
  'flow-of-other-browser': cause(
    'The sign-in was started in another browser.',
    'Start and finish the sign-in in one browser.',
  ),
  'provider-error': cause(
    'The provider has sent an error instead of a code.',
    'If the visitor has not canceled, look the error up in the documentation of the provider.',
  ),
  'code-refused': cause(
    'The provider has refused the code, or its answer cannot be accepted.',
    'Start the sign-in again. If that does not help, compare the registered callback URL.',
  ),
  // The provider.
  'client-refused': cause(
    'The provider has refused the client.',
    'Check the client secret, the client id, and `client.token_endpoint_auth_method`.',
    'variable',
  ),
  'metadata-unreachable': cause(
    "The provider's metadata could not be fetched.",
    'Check the issuer, and that this server can reach it.',
  ),
  'metadata-issuer': cause(
    "The issuer in the provider's metadata is not the configured one.",
    'Set the issuer exactly as the metadata has it.',
  ),
  'id-token-claim': cause(
    'A claim or the signature of the ID token was refused.',
    'Check the issuer, the client id, and the options of the provider.',
  ),
  clock: cause('The clocks of the provider and of this server differ.', "Check this server's time."),
  'userinfo-refused': cause(
    'The profile of the user could not be read.',
    'Check the scopes, the userinfo endpoint, and `profile()`.',
  ),
  // Access.
  'email-unverified': cause(
    'The address is not verified, so it creates no user.',
    'Verify the address at the provider, or set `unverifiedEmail` or `emailVerification`.',
  ),
  'account-not-linked': cause(
    'The account, the passkey or the address belongs to another user.',
    'Sign in as that user first, and add the account then.',
    'reason',
  ),
  'access-denied': cause(
    'The `signIn` callback, or a check of the provider, has refused the sign-in.',
    'If this is not intended, correct the callback.',
  ),
  credentials: cause('The credentials were refused.', 'Check what `authorize()` returns.'),
  'link-used': cause('The mailed link or code was used, or was never valid.', 'Request another mail.'),
  'link-expired': cause('The mailed link or code has expired.', 'Request another mail.'),
  passkey: cause('The answer of the passkey was not accepted.', 'The log has the reason.'),
  'address-refused': cause('The typed text is not an address that is accepted.', 'Type an email address.'),
  'mail-failed': cause('The mail could not be sent.', 'Check the mail server. The log has the error.'),
};

/** The facts of a cause that may be shown: scalars that its row lists, without control characters. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

const LONGEST = 200;

/** Returns the facts that may be shown. Texts are cut, and control characters are replaced. */
export function shownFacts(cause: Cause, facts: Readonly<Record<string, unknown>>): Facts {
  const shown: Record<string, string | number | boolean> = {};
  for (const name of causes[cause].facts) {
    const value = facts[name];
    if (typeof value === 'string') shown[name] = escaped(value);
    if (typeof value === 'number' || typeof value === 'boolean') shown[name] = value;
  }
  return shown;
}

function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.slice(0, LONGEST).replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, '\ufffd');
}
