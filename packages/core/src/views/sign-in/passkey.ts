import { credentialField } from '../credential-field.ts';
import { webAddress } from '../document.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { fill } from '../text.ts';
import type { SignInSite } from './data.ts';
import { withValue } from './forms.ts';
import type { PasskeyEntry } from './layout.ts';

/** Parameters of {@link passkeyForm}. */
export interface PasskeyForm {
  readonly site: SignInSite;
  /** The hidden fields. */
  readonly hidden: HtmlValue;
  readonly entry: PasskeyEntry;
  /** `key`: uses the key of a user whose name was typed. `add`: adds a passkey to the user who is signed in. */
  readonly purpose: 'signin' | 'key' | 'register' | 'add';
  /** The fields of the form. Default: none. */
  readonly fields?: HtmlValue;
  /** The browser offers passkeys in a field of the page. Default: `false`. */
  readonly autofill?: boolean | undefined;
  /** The button is the primary one of the page. Default: `true`. */
  readonly isPrimary?: boolean | undefined;
}

/**
 * Returns a form that the script `packages/core/page/passkey.ts` controls by its `data-` attributes. The script enables
 * the button. Without it, the button could not do anything.
 */
export function passkeyForm({ site, hidden, entry, purpose, fields, autofill, isPrimary = true }: PasskeyForm): Html {
  const { id, callbackUrl, optionsUrl } = entry;
  const { texts } = site.language;
  const registers = purpose === 'register' || purpose === 'add';
  return html`<form class="passkey" id="${id}-form" action="${webAddress(callbackUrl)}" method="POST" novalidate data-webauthn="${webAddress(optionsUrl)}"${autofill && html` data-autofill="true"`}>${hidden}
${fields}<button id="submitButton-${id}" type="submit" class="button${!isPrimary && ' quiet'}"${registers && html` data-ceremony="register"`} disabled>${buttonText(site, entry, purpose)}</button>
<p class="status" role="status"${statusTexts(site, purpose)}></p>
<noscript><p class="message">${texts.common.needsScript}</p></noscript>
</form>`;
}

/** Returns the texts of the script, by the name of the error (WebAuthn §5.1.3 and §5.1.4). */
function statusTexts({ language }: SignInSite, purpose: PasskeyForm['purpose']): Html {
  const { passkey, account } = language.texts;
  const registers = purpose === 'register' || purpose === 'add';
  const [canceled, invalid, wrongSite, failed] = registers
    ? [passkey.createCanceled, passkey.exists, passkey.createWrongSite, passkey.createFailed]
    : [passkey.signInCanceled, passkey.notUsable, passkey.signInWrongSite, passkey.signInFailed];
  const refused = {
    signin: passkey.signedIn,
    key: passkey.signedIn,
    register: passkey.fieldsFirst,
    add: account.notRecent,
  };
  return html` data-unsupported="${passkey.unsupported}" data-notallowederror="${canceled}" data-invalidstateerror="${invalid}" data-securityerror="${wrongSite}" data-badrequest="${refused[purpose]}" data-other="${failed}"`;
}

function buttonText({ language }: SignInSite, { name }: PasskeyEntry, purpose: PasskeyForm['purpose']): string {
  const { passkey, register, signIn } = language.texts;
  switch (purpose) {
    case 'add':
      return passkey.add;
    case 'register':
      return register.submit;
    case 'key':
      return name === 'WebAuthn' ? passkey.useKey : fill(signIn.withProvider, { provider: name });
    case 'signin':
      return name === 'Passkey' ? signIn.passkey : fill(signIn.withProvider, { provider: name });
  }
}

/**
 * Returns the fields of the owner, which the script sends with its request for options.
 *
 * @param values The values of fields by name. Default: the owner's values.
 * @param hasFocus Whether the first field has the focus when the page opens.
 */
export function passkeyFields(
  entry: PasskeyEntry,
  values: Readonly<Record<string, string>> = {},
  hasFocus: boolean = false,
): Html[] {
  return Object.entries(entry.fields).map(([key, input], index) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const field = { ...withValue(input, value, values), ...(hasFocus && index === 0 && { autofocus: true }) };
    return html`${credentialField(entry.id, key, { ...field, ...{ 'data-form-field': 'true' } })}
`;
  });
}
