import { credentialField } from '../credential-field.ts';
import { hiddenField, type Page, pageLanguage, renderDocument, typed, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fill, phrase } from '../text.ts';
import { hiddenFields, type SignInSite, type SignInStep, type SignInVisit, scriptsOf } from './data.ts';
import { forgotLink, revealable } from './forms.ts';
import { type FirstForm, layoutOf, type PasskeyEntry } from './layout.ts';
import { passkeyFields, passkeyForm } from './passkey.ts';
import { formMessage, isAboutPassword, isError, messageBox } from './problem.ts';

/** A step after the sign-in page. It is the same for known and unknown names, because no user is looked up. */
export interface StepVisit extends SignInVisit {
  /** The address or name that the visitor has typed. */
  readonly identifier: string;
}

/**
 * Returns the page that asks for the password. The form has the field names of the provider, so `authorize()` receives
 * the same as from a form with both fields.
 *
 * @param isAddress The typed name is an address, to which a link can be mailed.
 */
export function passwordStep(
  site: SignInSite,
  first: FirstForm & { kind: 'identifier' },
  visit: StepVisit,
  isAddress: boolean,
): Page {
  const { password, signIn } = site.language.texts;
  const { credentials, mail, fields } = first;
  const { problem, identifier } = visit;
  const isWrong = problem !== undefined && isAboutPassword(problem);
  const hidden = hiddenFields(visit, 'password');
  const secret = {
    ...credentials.fields[fields.password],
    ...revealable(site),
    ...((isWrong || problem === undefined) && { autofocus: true }),
    ...(isWrong && { 'aria-invalid': 'true', 'aria-describedby': ERROR_ID }),
  };
  return step(site, visit, 'password', {
    title: password.title,
    content: html`<form class="identifier" action="${webAddress(credentials.callbackUrl)}" method="POST">${hidden}
${isWrong && formMessage(site, problem, ERROR_ID)}${typedName(site, first, identifier)}
${credentialField(credentials.id, fields.password, secret)}${hiddenInputs(first)}
<button id="submitButton" type="submit" class="button">${signIn.submit}</button>
${site.forgotPasswordUrl !== undefined && forgotLink(site, site.forgotPasswordUrl)}</form>
${
  isAddress &&
  html`<form action="${webAddress(mail.signinUrl)}" method="POST">${hidden}${hiddenField('email', identifier)}
<button id="submitButton-${mail.id}" type="submit" class="button quiet">${password.mailLink}</button>
</form>`
}`,
  });
}

const ERROR_ID = 'submitButton-error';

/** Returns the name that was typed, which password managers read, and a link to change it. */
function typedName(site: SignInSite, first: FirstForm & { kind: 'identifier' }, identifier: string): Html {
  const { credentials, fields } = first;
  const { password } = site.language.texts;
  const { autofocus: _, ...input } = credentials.fields[fields.name] ?? {};
  const field = credentialField(credentials.id, fields.name, {
    ...input,
    ...{ value: identifier, readonly: true, autocomplete: 'username' },
  });
  return html`${field}
<p class="hint"><a href="${webAddress(site.signInUrl)}" aria-label="${password.changeLabel}">${password.change}</a></p>`;
}

/** The owner's fields that visitors do not see. */
function hiddenInputs({ credentials, fields }: FirstForm & { kind: 'identifier' }): Html[] {
  const others = Object.entries(credentials.fields).filter(([key]) => key !== fields.name && key !== fields.password);
  return others.map(([key, input]) => credentialField(credentials.id, key, input));
}

/** Returns the page that uses a security key of the user whose name was typed. */
export function keyStep(site: SignInSite, key: PasskeyEntry, visit: StepVisit): Page {
  const { passkey } = site.language.texts;
  const [name = ''] = Object.keys(key.fields);
  const input = { ...key.fields[name], readonly: true };
  const fields = passkeyFields({ ...key, fields: { ...key.fields, [name]: input } }, { [name]: visit.identifier });
  return step(site, visit, 'key', {
    title: passkey.useKey,
    content: html`${passkeyForm({ site, hidden: hiddenFields(visit, 'key'), entry: key, purpose: 'key', fields })}
${backLink(site, site.language.texts.password.change)}`,
  });
}

/** Returns the page that creates an account with a passkey. */
export function registerStep(site: SignInSite, visit: SignInVisit): Page {
  const { register } = site.language.texts;
  const entries = site.providers.filter(
    (entry): entry is PasskeyEntry => entry.type === 'webauthn' && entry.createsUsers !== false,
  );
  const forms = entries.map((entry, index) => {
    const values = visit.problem?.provider === entry.id ? (visit.problem.values ?? {}) : {};
    const fields = passkeyFields(entry, values);
    const hidden = hiddenFields(visit, 'register');
    return html`${passkeyForm({ site, hidden, entry, purpose: 'register', fields, isPrimary: index === 0 })}
`;
  });
  return step(site, visit, 'register', {
    title: register.title,
    content: html`<p class="message">${register.about}</p>
${forms}${backLink(site, register.signIn)}`,
  });
}

/** Returns the page on which a signed-in user adds a passkey. */
export function passkeyStep(site: SignInSite, visit: SignInVisit): Page {
  const { addWay, passkey, signedIn } = site.language.texts;
  const { visitor, callbackUrl } = visit;
  const hidden = hiddenFields(visit, 'passkey');
  const entries = site.providers.filter((entry) => entry.type === 'webauthn');
  const forms = entries.map(
    (entry, index) => html`${passkeyForm({ site, hidden, entry, purpose: 'add', isPrimary: index === 0 })}
`,
  );
  return step(site, visit, 'passkey', {
    title: passkey.add,
    content: html`${visitor && html`<p class="message">${phrase(signedIn.as, { user: typed(visitor) })}</p>\n`}${forms}<p class="links"><a href="${webAddress(callbackUrl)}">${addWay.notNow}</a></p>`,
  });
}

function backLink({ signInUrl }: SignInSite, text: string): Html {
  return html`<p class="links"><a href="${webAddress(signInUrl)}">${text}</a></p>`;
}

interface StepContent {
  readonly title: string;
  readonly content: Html;
}

function step(site: SignInSite, visit: SignInVisit, name: SignInStep, { title, content }: StepContent): Page {
  const { problem } = visit;
  const isBoxed = problem !== undefined && !(name === 'password' && isAboutPassword(problem));
  const { errorTitle } = site.language.texts.common;
  return renderDocument({
    title: problem && isError(problem) ? fill(errorTitle, { title }) : title,
    theme: site.theme,
    language: pageLanguage(site.language),
    kind: 'signin',
    content: html`<h1>${title}</h1>
${isBoxed && html`${messageBox(site, visit, problem)}\n`}${content}`,
    scripts: scriptsOf(site, name !== 'password'),
  });
}

/** Returns the first form of the page if it leads to a password or to a key. */
export function nextForm(site: SignInSite): (FirstForm & { kind: 'identifier' | 'key' }) | undefined {
  const { first } = layoutOf(site.providers);
  return first?.kind === 'identifier' || first?.kind === 'key' ? first : undefined;
}
