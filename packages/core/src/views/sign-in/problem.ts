import type { Texts } from '../../messages/en.ts';
import { webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fill, fromNow } from '../text.ts';
import { hiddenFields, type SignInProblem, type SignInSite, type SignInVisit } from './data.ts';
import type { OAuthEntry, SignInEntry } from './layout.ts';

/** How an error is shown. */
interface ErrorRow {
  readonly text: keyof Texts['errors'];
  /** The field to correct. Default: the message is in a box above the forms. */
  readonly field?: 'identifier' | 'password';
  /** The next step that the message offers. `provider`: the same provider again. Default: the forms of the page. */
  readonly next?: 'provider' | 'signOut' | 'help';
  /** The visitor has made no mistake. Default: `false`. */
  readonly isNotice?: boolean;
}

/** Errors by code, or by code and reason. In a `Map`, names such as `__proto__` are not found. */
const rows: ReadonlyMap<string, ErrorRow> = new Map<string, ErrorRow>([
  ['CredentialsSignin', { text: 'CredentialsSignin', field: 'password' }],
  ['EmailSignin', { text: 'EmailSignin', field: 'identifier' }],
  ['EmailSignin address', { text: 'EmailSigninAddress', field: 'identifier' }],
  ['OAuthCallbackError', { text: 'OAuthCallbackError', next: 'provider' }],
  ['OAuthCallbackError cancelled', { text: 'OAuthCallbackErrorCancelled', next: 'provider' }],
  ['OAuthSignin', { text: 'OAuthSignin' }],
  ['OAuthCreateAccount', { text: 'CreateAccount', next: 'provider' }],
  ['OAuthCreateAccount unverified', { text: 'OAuthCreateAccountUnverified', next: 'provider' }],
  ['EmailCreateAccount', { text: 'CreateAccount' }],
  ['OAuthAccountNotLinked', { text: 'OAuthAccountNotLinked' }],
  ['OAuthAccountNotLinked offer', { text: 'OAuthAccountNotLinkedOffer' }],
  ['OAuthAccountNotLinked other-user', { text: 'OAuthAccountNotLinkedOtherUser', next: 'signOut' }],
  ['AccountNotLinked', { text: 'AccountNotLinked', next: 'signOut' }],
  ['AccountReassigned', { text: 'AccountReassigned', next: 'help' }],
  ['TooManyWays', { text: 'TooManyWays' }],
  ['Callback', { text: 'Callback', next: 'help' }],
  ['InvalidCheck', { text: 'InvalidCheck', next: 'provider' }],
  ['MissingCSRF', { text: 'MissingCSRF' }],
  ['InvalidProvider', { text: 'InvalidProvider' }],
  ['RateLimited', { text: 'RateLimited' }],
  ['WebAuthnVerificationError', { text: 'WebAuthnVerificationError' }],
  ['SessionRequired', { text: 'SessionRequired', isNotice: true }],
  ['RecentSignInRequired', { text: 'RecentSignInRequired', isNotice: true }],
]);

const otherwise: ErrorRow = { text: 'other' };

function rowOf({ error, reason }: SignInProblem): ErrorRow {
  return rows.get(`${error} ${reason}`) ?? rows.get(error) ?? otherwise;
}

/** Returns the id of the provider in whose form the message stands; `undefined` if it stands above the forms. */
export function problemForm({ providers }: SignInSite, problem: SignInProblem): string | undefined {
  const { field } = rowOf(problem);
  if (field === undefined) return undefined;
  const type = field === 'password' ? 'credentials' : 'email';
  const ofType = providers.filter((entry) => entry.type === type);
  // Redirects of older versions do not name the provider.
  return (ofType.find(({ id }) => id === problem.provider) ?? ofType[0])?.id;
}

/** Returns whether the message concerns the password. */
export function isAboutPassword(problem: SignInProblem): boolean {
  return rowOf(problem).field === 'password';
}

/** Returns whether the page has an error, for its title. */
export function isError(problem: SignInProblem): boolean {
  return rowOf(problem).isNotice !== true;
}

/**
 * Returns the message for a form.
 *
 * @param id For `aria-describedby` of the field.
 */
export function formMessage(site: SignInSite, problem: SignInProblem, id: string): Html {
  return html`<div class="error" role="alert" id="${id}">${sentences(site, problem)}</div>
`;
}

/** Returns the message above the forms, with the next step. An error has the focus. */
export function messageBox(site: SignInSite, visit: SignInVisit, problem: SignInProblem): Html {
  const row = rowOf(problem);
  if (row.isNotice) return html`<div class="notice" role="status">${sentences(site, problem)}</div>`;
  return html`<div class="error" role="alert" tabindex="-1" autofocus>${sentences(site, problem)}</div>
${nextStep(site, visit, problem)}`;
}

/** The texts of the application are for its codes. Other codes are shown only if they look like codes. */
function sentences(site: SignInSite, problem: SignInProblem): Html {
  const { texts, codes = {} } = site.language;
  const code = ownCode(problem);
  const own = code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (own !== undefined) return html`<p>${own}</p>`;
  return html`<p>${errorText(site, problem)}</p>${code !== undefined && html`<p>${fill(texts.errors.code, { code })}</p>`}`;
}

/** Otherwise a link could put any sentence into the page. */
function ownCode({ error, code }: SignInProblem): string | undefined {
  const isOwn =
    error === 'CredentialsSignin' && code !== undefined && code !== 'credentials' && /^[\w.:-]{1,40}$/.test(code);
  return isOwn ? code : undefined;
}

function errorText({ language, providers }: SignInSite, problem: SignInProblem): string {
  const { errors } = language.texts;
  const { retryAfter = 0 } = problem;
  if (problem.error === 'RateLimited') {
    return retryAfter > 0
      ? fill(errors.RateLimited, { when: fromNow(language, retryAfter) })
      : errors.RateLimitedUnknown;
  }
  const provider = entryOf(providers, problem)?.name ?? errors.unknownProvider;
  return fill(errors[rowOf(problem).text], { provider });
}

function entryOf(providers: readonly SignInEntry[], { provider }: SignInProblem): SignInEntry | undefined {
  return providers.find(({ id }) => id === provider);
}

function nextStep(site: SignInSite, visit: SignInVisit, problem: SignInProblem): Html | undefined {
  const { texts } = site.language;
  const entry = entryOf(site.providers, problem);
  switch (rowOf(problem).next) {
    case 'provider':
      return entry && isService(entry) ? tryAgain(site, visit, entry) : undefined;
    case 'signOut':
      return html`<p class="links"><a href="${webAddress(site.signOutUrl)}">${texts.errors.signOut}</a></p>`;
    case 'help':
      return site.theme.links?.help
        ? html`<p class="links"><a href="${webAddress(site.theme.links.help)}">${texts.common.help}</a></p>`
        : undefined;
    default:
      return undefined;
  }
}

function isService(entry: SignInEntry): entry is OAuthEntry {
  return entry.type === 'oauth' || entry.type === 'oidc';
}

function tryAgain({ language }: SignInSite, visit: SignInVisit, { name, signinUrl }: OAuthEntry): Html {
  return html`<form class="again" action="${webAddress(signinUrl)}" method="POST">${hiddenFields(visit, 'signin')}
<button type="submit" class="button">${fill(language.texts.errors.tryAgain, { provider: name })}</button>
</form>`;
}
