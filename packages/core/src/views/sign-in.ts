import type { CredentialInput } from '../providers/credentials.ts';
import type { MarkPath } from '../types/provider.ts';
import type { PageTheme } from '../types/theme.ts';
import { credentialField } from './credential-field.ts';
import { hiddenField, imageAddress, type Page, renderDocument, webAddress } from './document.ts';
import { type Html, type HtmlValue, hole, html, template } from './html.ts';
import { providerMark } from './mark.ts';

/** A button that starts a sign-in with a provider. */
export interface OAuthEntry {
  readonly type: 'oauth' | 'oidc';
  readonly id: string;
  readonly name: string;
  readonly signinUrl: string;
  /** CSS color. */
  readonly brandColor?: string | undefined;
  /** URL of an image, shown on white. */
  readonly logo?: string | undefined;
  /** The mark, see `views/mark.ts`. Used if `logo` is undefined. */
  readonly icon?: string | readonly MarkPath[] | undefined;
}

/** A form that asks for an email address and sends a link to it. */
export interface EmailEntry {
  readonly type: 'email';
  readonly id: string;
  readonly name: string;
  readonly signinUrl: string;
}

/** A form with the configured inputs. */
export interface CredentialsEntry {
  readonly type: 'credentials';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A form with the configured inputs, whose buttons use or create a passkey. */
export interface PasskeyEntry {
  readonly type: 'webauthn';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  /** URL from which the page's script loads the WebAuthn options. */
  readonly optionsUrl: string;
  /** `true`: the browser offers passkeys in the autofill of a field. */
  readonly autofill: boolean;
  /** `false`: a visitor who is signed out cannot create a passkey, and a user with it. Default: `true`. */
  readonly createsUsers?: boolean | undefined;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A way to sign in. */
export type SignInEntry = OAuthEntry | EmailEntry | CredentialsEntry | PasskeyEntry;

/** Data of the sign-in page. */
export interface SignInPageData {
  readonly theme: PageTheme;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the visitor is redirected to afterward. */
  readonly callbackUrl: string;
  /** The query parameter `error`, unchecked. */
  readonly error?: string | undefined;
  /** The query parameter `code` of a refused credentials sign-in, unchecked. */
  readonly code?: string | undefined;
  /** Initial value of the email field. */
  readonly email?: string | undefined;
  readonly providers: readonly SignInEntry[];
  /** Path of the script for passkeys. */
  readonly passkeyScript?: string | undefined;
  /** Address or name of the signed-in user, who can add a passkey. `undefined` if the visitor is signed out. */
  readonly visitor?: string | undefined;
}

/** The parts of the page that depend on the request. */
interface RequestParts {
  readonly hidden: Html;
  readonly problem: Html | null;
  readonly email: HtmlValue;
}

/** Returns the sign-in page: OAuth providers, then passkeys, email and credentials. Only passkeys need JavaScript. */
export function signInPage(data: SignInPageData): Page {
  return render(data, requestParts(data));
}

/** The members of {@link SignInPageData} that differ between requests. */
export type SignInVisit = Pick<SignInPageData, 'csrfToken' | 'callbackUrl' | 'error' | 'code' | 'email'>;

/** The page for visitors who are signed out, rendered once. */
export interface SignInTemplate {
  /** The page with placeholders. Use it for the headers only. */
  readonly page: Page;
  /** Returns the HTML for one request. */
  readonly htmlFor: (visit: SignInVisit) => string;
}

/** Returns {@link signInPage} as a template. With many providers, rendering is most of the work of a request. */
export function signInTemplate(data: Omit<SignInPageData, keyof SignInVisit | 'visitor'>): SignInTemplate {
  const holes = { hidden: hole('hidden'), problem: hole('problem'), email: hole('email') };
  const page = render({ ...data, callbackUrl: '' }, holes);
  const fill = template(page.html);
  return { page, htmlFor: (visit) => fill({ ...requestParts(visit) }) };
}

function requestParts(visit: SignInVisit): RequestParts {
  return { hidden: hiddenFields(visit), problem: errorBox(visit.error, visit.code), email: visit.email };
}

function render(data: SignInPageData, { hidden, problem, email }: RequestParts): Page {
  const services = data.providers.filter(
    (entry): entry is OAuthEntry => entry.type === 'oauth' || entry.type === 'oidc',
  );
  const passkeys = data.providers.filter((entry) => entry.type === 'webauthn');
  const mails = data.providers.filter((entry) => entry.type === 'email');
  const logins = data.providers.filter((entry) => entry.type === 'credentials');
  const typed = [...mails, ...logins];
  const ways = [...passkeys, ...typed];
  const groups = [
    services.length > 0 && serviceButtons(services, hidden, data.theme),
    ...ways.map((entry, index) => {
      const isOnlyOne = ways.filter(({ type }) => type === entry.type).length === 1;
      const form =
        entry.type === 'webauthn'
          ? passkeyForm(entry, data.visitor, hidden)
          : typedForm(entry, { ...data, email }, hidden, typed);
      const heading = !isOnlyOne && html`<h2 class="section-header">${entry.name}</h2>`;
      return html`<div class="way"${index === 0 && html` id="${waysId}"`}>${heading}${form}</div>`;
    }),
  ].filter((group) => group !== false);
  return renderDocument({
    title: 'Sign In',
    theme: data.theme,
    kind: 'signin',
    content: html`<h1>Sign in</h1>
${problem}
${services.length > many && jump(passkeys.length, mails.length, logins.length)}
${groups.map((group, index) => html`${index > 0 && html`<p class="or">or</p>\n`}${group}\n`)}
${groups.length === 0 && html`<p class="message">${noProviders}</p>`}`,
    imageSources: services.map((entry) => imageAddress(entry.logo)?.source ?? null),
    scripts: passkeys.length > 0 && data.passkeyScript !== undefined ? [data.passkeyScript] : [],
  });
}

/** More OAuth providers than this are shown as a grid, without "Sign in with" on each button. */
const many = 6;

const noProviders = 'There is no way to sign in yet. If this is your site, add a provider to its configuration.';

const waysId = 'other-ways';

function serviceButtons(services: readonly OAuthEntry[], hidden: Html, theme: PageTheme): Html {
  return html`<div class="providers${services.length > many && ' many'}">
${services.map(
  (entry) => html`<div class="provider"><form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<button type="submit" class="button quiet">${providerMark(entry, theme)}<span class="label"><span class="with">Sign in with </span>${entry.name}</span></button>
</form></div>
`,
)}</div>`;
}

/** Returns the form that the script `packages/core/page/passkey.ts` controls by its `data-` attributes. */
function passkeyForm(entry: PasskeyEntry, visitor: string | undefined, hidden: Html): Html {
  const { id, callbackUrl, optionsUrl, autofill } = entry;
  // The script enables the buttons. Without it, they could not do anything.
  return html`<div class="provider"><form id="${id}-form" action="${webAddress(callbackUrl)}" method="POST" novalidate data-webauthn="${webAddress(optionsUrl)}"${autofill && visitor === undefined && html` data-autofill="true"`}>${hidden}
${visitor === undefined ? passkeyChoice(entry) : furtherPasskey(visitor)}
<p class="status" role="status"></p>
<noscript><p class="message">This way to sign in needs JavaScript, which is off in your browser.</p></noscript>
</form></div>`;
}

function furtherPasskey(visitor: string): Html {
  return html`<p class="message">You are signed in as <strong>${visitor}</strong>.</p>
<button type="submit" class="button" data-ceremony="register" disabled>Add a passkey</button>`;
}

function passkeyChoice(entry: PasskeyEntry): Html {
  const { id, fields, createsUsers = true } = entry;
  const inputs = Object.entries(fields).map(([key, input]) =>
    credentialField(id, key, { ...input, ...{ 'data-form-field': 'true' } }),
  );
  return html`${inputs}
<div class="buttons"><button id="submitButton-${id}" type="submit" class="button" disabled>Sign in with ${methodInWords(entry)}</button>${
    createsUsers &&
    html`
<button type="submit" class="button quiet" data-ceremony="register" disabled>Create a passkey</button>`
  }</div>`;
}

interface TypedFormData {
  readonly email: HtmlValue;
  readonly providers: readonly SignInEntry[];
}

function typedForm(
  entry: EmailEntry | CredentialsEntry,
  data: TypedFormData,
  hidden: Html,
  typed: readonly SignInEntry[],
): Html {
  const index = typed.indexOf(entry);
  return entry.type === 'email' ? emailForm(entry, data, hidden, index) : credentialsForm(entry, hidden, index);
}

function emailForm(entry: EmailEntry, { email, providers }: TypedFormData, hidden: Html, index: number): Html {
  const id = `input-email-for-${entry.id}-provider`;
  // Focus would scroll past the other forms, and a phone would open its keyboard over them.
  const isAlone = providers.length === 1;
  return html`<div class="provider"><form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<div class="field"><label for="${id}">Email</label>
<input id="${id}" type="email" name="email" value="${email}" placeholder="email@example.com" autocomplete="email" autocapitalize="none" spellcheck="false" required${isAlone && html` autofocus`}></div>
${submitButton(entry, index)}
</form></div>`;
}

function credentialsForm(entry: CredentialsEntry, hidden: Html, index: number): Html {
  const fields = Object.entries(entry.fields).map(([key, input]) => credentialField(entry.id, key, input));
  return html`<div class="provider"><form action="${webAddress(entry.callbackUrl)}" method="POST">${hidden}
${fields}
${submitButton(entry, index)}
</form></div>`;
}

/** Only the first form gets the id of Auth.js v5, because an id must be unique in a page. */
function submitButton(entry: EmailEntry | CredentialsEntry, index: number): Html {
  const id = index === 0 ? 'submitButton' : `submitButton-${entry.id}`;
  return html`<button id="${id}" type="submit" class="button">Sign in with ${methodInWords(entry)}</button>`;
}

function hiddenFields({ csrfToken, callbackUrl }: SignInVisit): Html {
  return html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}`;
}

/** Shows `code` only if it looks like a code. Otherwise a link could put any sentence into the page. */
function errorBox(error: string | undefined, code: string | undefined): Html | null {
  if (!error) return null;
  const isOwnCode =
    error === 'CredentialsSignin' && code !== undefined && code !== 'credentials' && /^[\w.:-]{1,40}$/.test(code);
  const tone = error === 'SessionRequired' && ' notice';
  return html`<div class="error${tone}" role="alert"><p>${signInErrorText(error)}</p>${isOwnCode && html`<p>Code: ${code}</p>`}</div>`;
}

function jump(passkeys: number, mails: number, logins: number): Html | null {
  const ways = [passkeys > 0 && 'a passkey', mails > 0 && 'email', logins > 0 && 'a password'];
  const what = ways.filter((name) => name !== false).join(' or ');
  if (what === '') return null;
  return html`<p class="jump"><a href="#${waysId}">Use ${what} instead</a></p>`;
}

const tryAgain = 'Try again, or choose another way to sign in.';

/** Texts by error code. In a `Map`, names such as `__proto__` are not found. */
const texts: ReadonlyMap<string, string> = new Map([
  ['Signin', `The sign-in could not be started. ${tryAgain}`],
  ['OAuthSignin', `That service could not be reached. ${tryAgain}`],
  ['OAuthCallbackError', `The sign-in was canceled or refused. ${tryAgain}`],
  ['OAuthCreateAccount', 'Your account could not be created. Try again, or use a different account.'],
  ['EmailCreateAccount', 'Your account could not be created. Try again, or use a different address.'],
  ['Callback', 'The sign-in could not be completed. Try again, or use a different account.'],
  ['OAuthAccountNotLinked', 'To show that it is you, sign in the same way as the first time.'],
  ['AccountNotLinked', 'This belongs to a different account. Sign in the way you did before.'],
  ['EmailSignin', 'The email could not be sent. Check the address and try again.'],
  ['CredentialsSignin', 'These sign-in details are not correct. Check them and try again.'],
  ['RateLimited', 'There were too many attempts. Please wait a few minutes, then try again.'],
  ['SessionRequired', 'Sign in to see that page.'],
  ['WebAuthnVerificationError', `Your passkey could not be checked. ${tryAgain}`],
  ['InvalidCheck', 'The sign-in took too long, or was started in another tab. Please start again.'],
  ['MissingCSRF', 'This page was open for too long, or you signed in or out in another tab. Please try again.'],
  ['InvalidProvider', 'This way to sign in is not available. Choose one of the ways below.'],
]);

/** Returns the sentence for an error code, or a general sentence for an unknown code. */
export function signInErrorText(code: string): string {
  return texts.get(code) ?? 'You could not be signed in. Please try again.';
}

function methodInWords({ type, id, name }: SignInEntry): string {
  if (type === 'email') return name.toLowerCase() === id.toLowerCase() ? 'email' : name;
  return type === 'webauthn' && (name === 'Passkey' || name === 'WebAuthn') ? 'a passkey' : name;
}
