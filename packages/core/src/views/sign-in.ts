import type { CredentialInput } from '../providers/credentials.ts';
import type { Theme } from '../types.ts';
import { imageAddress, webAddress } from './address.ts';
import { credentialField } from './credential-field.ts';
import { type Page, renderDocument } from './document.ts';
import { hiddenField } from './hidden-field.ts';
import { type Html, type HtmlValue, hole, html, template } from './html.ts';
import { signInErrorText } from './sign-in-errors.ts';
import { providerRule } from './theme.ts';

/** A button that leads to a provider. */
export interface OAuthEntry {
  readonly type: 'oauth' | 'oidc';
  readonly id: string;
  readonly name: string;
  readonly signinUrl: string;
  /** CSS colour. */
  readonly brandColor?: string | undefined;
  /** Address of an image, drawn on white. */
  readonly logo?: string | undefined;
  /** Path data (SVG `d`) of a 24 × 24 mark, drawn on the brand colour. Used when there is no logo. */
  readonly icon?: string | undefined;
}

/** A form that asks for an address to mail a link to. */
export interface EmailEntry {
  readonly type: 'email';
  readonly id: string;
  readonly name: string;
  readonly signinUrl: string;
}

/** A form with the inputs that the owner configured. */
export interface CredentialsEntry {
  readonly type: 'credentials';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A form whose buttons use or make a passkey, with the inputs that the owner configured. */
export interface PasskeyEntry {
  readonly type: 'webauthn';
  readonly id: string;
  readonly name: string;
  readonly callbackUrl: string;
  /** Where the page's script asks what to do. */
  readonly optionsUrl: string;
  /** The browser offers passkeys in the autofill of a field. */
  readonly autofill: boolean;
  readonly fields: Readonly<Record<string, CredentialInput>>;
}

/** A way to sign in. */
export type SignInEntry = OAuthEntry | EmailEntry | CredentialsEntry | PasskeyEntry;

/** What the sign-in page shows. */
export interface SignInPageData {
  readonly theme: Theme;
  /** Absent when the host framework checks the origin itself. */
  readonly csrfToken?: string | undefined;
  /** Where the visitor goes afterwards. */
  readonly callbackUrl: string;
  /** `?error=`, as it came. */
  readonly error?: string | undefined;
  /** `?code=` of a refused credentials sign-in, as it came. */
  readonly code?: string | undefined;
  /** Address to start with. */
  readonly email?: string | undefined;
  readonly providers: readonly SignInEntry[];
  /** Path of the script that passkeys need. */
  readonly passkeyScript?: string | undefined;
  /** Who is signed in already, by address or name: a passkey is added for them. */
  readonly visitor?: string | undefined;
}

/** What a request brings to the page. */
interface Brought {
  readonly hidden: Html;
  readonly problem: Html | null;
  readonly email: HtmlValue;
}

/** The sign-in page: services first, then passkeys, mail, credentials. Only passkeys need JavaScript. */
export function signInPage(data: SignInPageData): Page {
  return render(data, broughtBy(data));
}

/** The members of {@link SignInPageData} that are other ones with each request. */
export type SignInVisit = Pick<SignInPageData, 'csrfToken' | 'callbackUrl' | 'error' | 'code' | 'email'>;

/** The page for everybody who is signed out, and what makes it one visitor's. */
export interface SignInTemplate {
  /** `html` is of no use. */
  readonly page: Page;
  readonly htmlFor: (visit: SignInVisit) => string;
}

/** {@link signInPage}, written once: with many services that is most of the work. */
export function signInTemplate(data: Omit<SignInPageData, keyof SignInVisit | 'visitor'>): SignInTemplate {
  const holes = { hidden: hole('hidden'), problem: hole('problem'), email: hole('email') };
  const page = render({ ...data, callbackUrl: '' }, holes);
  const fill = template(page.html);
  return { page, htmlFor: (visit) => fill({ ...broughtBy(visit) }) };
}

function broughtBy(visit: SignInVisit): Brought {
  return { hidden: hiddenFields(visit), problem: errorBox(visit.error, visit.code), email: visit.email };
}

function render(data: SignInPageData, { hidden, problem, email }: Brought): Page {
  const services = data.providers.filter(
    (entry): entry is OAuthEntry => entry.type === 'oauth' || entry.type === 'oidc',
  );
  const passkeys = data.providers.filter((entry) => entry.type === 'webauthn');
  const mails = data.providers.filter((entry) => entry.type === 'email');
  const logins = data.providers.filter((entry) => entry.type === 'credentials');
  const typed = [...mails, ...logins];
  const ways = [...passkeys, ...typed];
  const groups = [
    services.length > 0 && serviceButtons(services, hidden),
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
    rules: services.flatMap((entry, index) => providerRule(markClass(index), entry.brandColor) ?? []),
    imageSources: services.map((entry) => imageAddress(entry.logo)?.source ?? null),
    script: passkeys.length > 0 ? data.passkeyScript : undefined,
  });
}

/** More services than this are shown as a grid, without "Sign in with" on each. */
const many = 6;

const noProviders = 'There is no way to sign in yet. If this is your site, add a provider to its configuration.';

const waysId = 'other-ways';

function serviceButtons(services: readonly OAuthEntry[], hidden: Html): Html {
  return html`<div class="providers${services.length > many && ' many'}">
${services.map(
  (entry, index) => html`<div class="provider"><form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<button type="submit" class="button quiet">${mark(entry, index)}<span class="label"><span class="with">Sign in with </span>${entry.name}</span></button>
</form></div>
`,
)}</div>`;
}

function mark({ name, logo, icon }: OAuthEntry, index: number): Html {
  const image = imageAddress(logo);
  if (image) {
    return html`<span class="mark image" aria-hidden="true"><img src="${image.src}" alt="" width="20" height="20" loading="lazy"></span>`;
  }
  const drawing = icon ? html`<svg viewBox="0 0 24 24"><path d="${icon}"/></svg>` : initial(name);
  return html`<span class="mark ${markClass(index)}" aria-hidden="true">${drawing}</span>`;
}

function markClass(index: number): string {
  return `provider-${index}`;
}

function initial(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '?';
}

/** Reads nothing from its own page but the attributes; `packages/core/page/passkey.ts` is its script. */
function passkeyForm(entry: PasskeyEntry, visitor: string | undefined, hidden: Html): Html {
  const { id, callbackUrl, optionsUrl, autofill } = entry;
  // Without the script nothing could come of a press of the buttons.
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

function passkeyChoice({ id, name, fields }: PasskeyEntry): Html {
  const inputs = Object.entries(fields).map(([key, input]) =>
    credentialField(id, key, { ...input, ...{ 'data-form-field': 'true' } }),
  );
  return html`${inputs}
<div class="buttons"><button id="submitButton-${id}" type="submit" class="button" disabled>Sign in with ${spoken(name)}</button>
<button type="submit" class="button quiet" data-ceremony="register" disabled>Create a passkey</button></div>`;
}

function spoken(name: string): string {
  return name === 'Passkey' || name === 'WebAuthn' ? 'a passkey' : name;
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
  // A mail service's own name ("Resend") means nothing to a visitor.
  const name = entry.name.toLowerCase() === entry.id.toLowerCase() ? 'email' : entry.name;
  // Focus would scroll past other ways to sign in, and open a phone's keyboard over them.
  const isAlone = providers.length === 1;
  return html`<div class="provider"><form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<div class="field"><label for="${id}">Email</label>
<input id="${id}" type="email" name="email" value="${email}" placeholder="email@example.com" autocomplete="email" autocapitalize="none" spellcheck="false" required${isAlone && html` autofocus`}></div>
${submitButton(entry.id, name, index)}
</form></div>`;
}

function credentialsForm(entry: CredentialsEntry, hidden: Html, index: number): Html {
  const fields = Object.entries(entry.fields).map(([key, input]) => credentialField(entry.id, key, input));
  return html`<div class="provider"><form action="${webAddress(entry.callbackUrl)}" method="POST">${hidden}
${fields}
${submitButton(entry.id, entry.name, index)}
</form></div>`;
}

/** The first form has the id that the contract names; an id must not occur twice. */
function submitButton(providerId: string, name: string, index: number): Html {
  const id = index === 0 ? 'submitButton' : `submitButton-${providerId}`;
  return html`<button id="${id}" type="submit" class="button">Sign in with ${name}</button>`;
}

function hiddenFields({ csrfToken, callbackUrl }: SignInVisit): Html {
  return html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}`;
}

/** `code` is shown when the owner chose it, and only as a code: nobody may write sentences into our page by a link. */
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
