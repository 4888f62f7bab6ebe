import type { CredentialInput } from '../../providers/credentials.ts';
import { credentialField } from '../credential-field.ts';
import { webAddress } from '../document.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { fill } from '../text.ts';
import type { SignInProblem, SignInSite } from './data.ts';
import type { CredentialsEntry, EmailEntry, FirstForm, PasskeyEntry } from './layout.ts';
import { formMessage, isAboutPassword } from './problem.ts';

/** How a form is filled in. */
export interface FormState {
  readonly site: SignInSite;
  /** The hidden fields. */
  readonly hidden: HtmlValue;
  /** The value of the field for an address or a name. */
  readonly identifier: string;
  /** The browser offers passkeys in that field. */
  readonly offersPasskeys: boolean;
  /** The field has the focus when the page opens. */
  readonly hasFocus: boolean;
  /** The message of this form. Default: none. */
  readonly problem?: SignInProblem | undefined;
  /** The values that were posted with this form. */
  readonly values: Readonly<Record<string, string>>;
  /** Id of the button. */
  readonly buttonId: string;
}

/** Returns the form at the top of the page. */
export function firstForm(first: FirstForm, state: FormState): Html {
  switch (first.kind) {
    case 'mail':
      return mailForm(first.mail, state);
    case 'password':
    case 'fields':
      return credentialsForm(first.credentials, state, first.kind === 'password' ? first.fields.name : undefined);
    case 'identifier':
      return identifierForm(state, labelOf(state.site, first));
    case 'key':
      return identifierForm(state, keyLabel(first.key));
  }
}

/** Returns a form that asks for an address, and mails a link to it. */
export function mailForm(entry: EmailEntry, state: FormState): Html {
  const { signIn, errors } = state.site.language.texts;
  const isUnsent = state.problem?.error === 'EmailSignin' && state.problem.reason === 'delivery';
  const field = addressField(state, {
    ...{ id: `input-email-for-${entry.id}-provider`, name: 'email', type: 'email', label: signIn.email },
    autocomplete: state.offersPasskeys ? 'username webauthn' : 'email',
  });
  return html`<form class="identifier" action="${webAddress(entry.signinUrl)}" method="POST">${state.hidden}
${message(state)}${field}
${submitButton(state, isUnsent ? errors.sendAgain : signIn.continue)}
</form>`;
}

/** Returns a form for an address or a name. It leads to the next step. */
function identifierForm(state: FormState, { label, type }: IdentifierLabel): Html {
  const { site, offersPasskeys } = state;
  const field = addressField(state, {
    ...{ id: 'input-identifier', name: 'identifier', type, label },
    autocomplete: offersPasskeys ? 'username webauthn' : 'username',
  });
  return html`<form class="identifier" action="${webAddress(site.signInUrl)}" method="POST">${state.hidden}
${message(state)}${field}
${submitButton(state, site.language.texts.signIn.continue)}
</form>`;
}

/** The label of a field for an address or a name, and its type. */
interface IdentifierLabel {
  readonly label: string;
  readonly type: 'email' | 'text';
}

/** Returns "Email" if both ways take an address, else "Email or Username". */
function labelOf({ language }: SignInSite, first: FirstForm & { kind: 'identifier' }): IdentifierLabel {
  const { signIn } = language.texts;
  const { name } = first.fields;
  const input = first.credentials.fields[name];
  if (input?.type === 'email' || name.toLowerCase() === 'email') return { label: signIn.email, type: 'email' };
  return { label: fill(signIn.emailOr, { label: input?.label ?? name }), type: 'text' };
}

function keyLabel({ fields }: PasskeyEntry): IdentifierLabel {
  const [[key, input] = ['', {}]] = Object.entries(fields);
  const isAddress = input.type === 'email' || key.toLowerCase() === 'email';
  return { label: input.label ?? key, type: isAddress ? 'email' : 'text' };
}

/** Returns a form with the fields of the owner, whose values stay after an error, except secrets. */
export function credentialsForm(entry: CredentialsEntry, state: FormState, nameKey?: string): Html {
  const { site, problem, values, hasFocus } = state;
  const isWrong = problem !== undefined;
  const fields = Object.entries(entry.fields).map(([key, input]) => {
    const isPassword = inputType(input) === 'password';
    const isInvalid = isWrong && (isAboutPassword(problem) ? isPassword : key === nameKey);
    return credentialField(entry.id, key, {
      ...withValue(input, values[key] ?? (key === nameKey && state.identifier ? state.identifier : undefined), values),
      ...(isPassword && revealable(site)),
      ...(key === nameKey && state.offersPasskeys && { autocomplete: withPasskeys(input) }),
      ...((isInvalid || (!isWrong && hasFocus && key === nameKey)) && { autofocus: true }),
      ...(isInvalid && { 'aria-invalid': 'true', 'aria-describedby': messageId(state) }),
    });
  });
  const { forgotPasswordUrl, language } = site;
  const hasPassword = Object.values(entry.fields).some((input) => inputType(input) === 'password');
  return html`<form class="identifier" action="${webAddress(entry.callbackUrl)}" method="POST">${state.hidden}
${message(state)}${fields}
${submitButton(state, language.texts.signIn.submit)}
${hasPassword && forgotPasswordUrl !== undefined && forgotLink(site, forgotPasswordUrl)}</form>`;
}

/** The texts with which the script of the page adds a button that shows the password. */
export function revealable({ language }: SignInSite): Record<'data-show' | 'data-hide', string> {
  const { showPassword, hidePassword } = language.texts.script;
  return { 'data-show': showPassword, 'data-hide': hidePassword };
}

/** Returns the link to the application's page for forgotten passwords. */
export function forgotLink({ language }: SignInSite, url: string): Html {
  return html`<p class="links"><a href="${webAddress(url)}">${language.texts.signIn.forgotPassword}</a></p>
`;
}

/** Fields whose values must not be in the page (HTML autofill: codes and payment cards). */
const SECRET = /\b(one-time-code|cc-[\w-]+)\b/i;

/** Returns the input with the value that was posted, unless it is a secret. Without one, it keeps its own. */
export function withValue(
  input: CredentialInput,
  value: string | undefined,
  values: Readonly<Record<string, string>>,
): CredentialInput {
  const type = inputType(input);
  if (type === 'password' || type === 'hidden' || SECRET.test(String(input.autocomplete ?? ''))) return input;
  if (type === 'checkbox' || type === 'radio') {
    if (Object.keys(values).length === 0) return input;
    return { ...input, checked: value !== undefined && value === String(input.value ?? 'on') };
  }
  return value === undefined ? input : { ...input, value };
}

function inputType({ type }: CredentialInput): string {
  return typeof type === 'string' ? type.toLowerCase() : 'text';
}

function withPasskeys({ autocomplete }: CredentialInput): string {
  const tokens = typeof autocomplete === 'string' && autocomplete !== '' ? autocomplete : 'username';
  return /\bwebauthn\b/.test(tokens) ? tokens : `${tokens} webauthn`;
}

interface AddressField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly autocomplete: string;
}

function addressField(state: FormState, { id, name, type, label, autocomplete }: AddressField): Html {
  const { site, identifier, hasFocus, problem, values } = state;
  const example = type === 'email' && html` placeholder="${site.language.texts.signIn.example}"`;
  const invalid = problem && html` aria-invalid="true" aria-describedby="${messageId(state)}"`;
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" type="${type}" name="${name}" value="${values[name] ?? identifier}"${example} autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" maxlength="254" required${invalid}${(hasFocus || problem) && html` autofocus`}></div>`;
}

function message(state: FormState): Html | undefined {
  return state.problem && formMessage(state.site, state.problem, messageId(state));
}

function messageId({ buttonId }: FormState): string {
  return `${buttonId}-error`;
}

function submitButton({ buttonId }: FormState, text: string): Html {
  return html`<button id="${buttonId}" type="submit" class="button">${text}</button>`;
}
