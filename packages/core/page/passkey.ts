/**
 * What a page needs to use and make passkeys: a form with `data-webauthn`, the address of the options, that posts to the callback.
 * A button with `data-ceremony="register"` makes a passkey, any other one uses one; with `data-autofill` the browser offers passkeys
 * in a field. Values of fields with `data-form-field` go along. Served as `asset/passkey.js`; `npm run page-script` makes it of this.
 */

type Ceremony = 'authenticate' | 'register';

/** Milliseconds after which an offer is made anew, well before its challenge is too old. */
const OFFER_AGE = 10 * 60 * 1000;
/** Milliseconds that a browser has to answer, once the page is seen again. */
const GRACE = 1500;

const words: Record<string, Record<Ceremony, string>> = {
  NotAllowedError: {
    authenticate: 'No passkey was used. Try again, or choose another way to sign in.',
    register: 'No passkey was made. Please try again.',
  },
  InvalidStateError: {
    authenticate: 'This passkey cannot be used here.',
    register: 'This device has a passkey for your account already.',
  },
  SecurityError: {
    authenticate: 'Passkeys cannot be used at this address.',
    register: 'Passkeys cannot be made at this address.',
  },
  BadRequest: {
    authenticate: 'You are signed in already.',
    register: 'To make a passkey, fill in the form first.',
  },
  Other: {
    authenticate: 'That did not work. Try again, or choose another way to sign in.',
    register: 'That did not work. Please try again.',
  },
};

function prepare(form: HTMLFormElement): void {
  if (typeof PublicKeyCredential !== 'function' || !navigator.credentials) {
    say(form, 'This browser cannot use passkeys here.');
    return;
  }
  const offer = form.dataset['autofill'] === undefined ? undefined : new Offer(form);
  setBusy(form, false);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    offer?.withdraw();
    const ceremony = event.submitter?.dataset['ceremony'] === 'register' ? 'register' : 'authenticate';
    if (!(await press(form, ceremony))) offer?.make();
  });
  // The page is back as it was left: from the next page, by the button.
  addEventListener('pageshow', (event) => {
    if (event.persisted) {
      setBusy(form, false);
      offer?.make();
    }
  });
  offer?.make();
}

/** Tells whether an answer is on its way. */
async function press(form: HTMLFormElement, ceremony: Ceremony): Promise<boolean> {
  say(form, '');
  if (ceremony === 'register' && !form.reportValidity()) return false;
  setBusy(form, true);
  try {
    await run(form, ceremony, fieldsOf(form), {});
    return true;
  } catch (error) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : '';
    say(form, (words[name] ?? words['Other'])?.[ceremony] ?? '');
    setBusy(form, false);
    return false;
  }
}

/** An offer in a field's autofill. There is one challenge per browser: another tab may have asked for one since. */
class Offer {
  form: HTMLFormElement;
  abort: AbortController | undefined;
  timer = 0;

  constructor(form: HTMLFormElement) {
    this.form = form;
    document.addEventListener('visibilitychange', () => {
      const { abort } = this;
      if (!abort || document.visibilityState !== 'visible') return;
      // Some browsers hide the page while they ask for the finger; then the answer comes first.
      setTimeout(() => abort === this.abort && this.make(), GRACE);
    });
  }

  make(): void {
    this.withdraw();
    this.abort = new AbortController();
    void this.wait(this.abort);
  }

  async wait(abort: AbortController): Promise<void> {
    try {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || abort.signal.aborted) return;
      this.timer = setTimeout(() => this.make(), OFFER_AGE);
      await run(this.form, 'authenticate', [], { mediation: 'conditional', signal: abort.signal });
    } catch {
      // Nobody has asked for it: the buttons are there.
    } finally {
      if (abort === this.abort) this.withdraw();
    }
  }

  withdraw(): void {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = undefined;
  }
}

/** One ceremony, from the question to the post; resolves when the page is about to be left. */
async function run(
  form: HTMLFormElement,
  asked: Ceremony,
  fields: [string, string][],
  how: { mediation?: CredentialMediationRequirement; signal?: AbortSignal },
): Promise<void> {
  const address = new URL(form.dataset['webauthn'] ?? '', location.href);
  for (const [name, value] of fields) address.searchParams.set(name, value);
  address.searchParams.set('action', asked);
  const init: RequestInit = { headers: { accept: 'application/json' }, cache: 'no-store' };
  if (how.signal) init.signal = how.signal;
  const answer = await fetch(address, init);
  if (answer.status === 400) throw Object.assign(new Error('refused'), { name: 'BadRequest' });
  const { action, options } = await answer.json();
  const credential =
    action === 'register'
      ? await navigator.credentials.create({ ...how, publicKey: creationOptions(options) })
      : await navigator.credentials.get({ ...how, publicKey: requestOptions(options) });
  if (!credential || how.signal?.aborted) throw new Error('no credential');
  post(form, { action, data: JSON.stringify(toJSON(credential as PublicKeyCredential)) });
}

function fieldsOf(form: HTMLFormElement): [string, string][] {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-form-field]')];
  const sent = inputs.filter(({ type, checked }) => checked || (type !== 'checkbox' && type !== 'radio'));
  return sent.map(({ name, value }): [string, string] => [name, value]).filter(([, value]) => value !== '');
}

function post(form: HTMLFormElement, fields: Record<string, string>): void {
  for (const old of form.querySelectorAll('input[data-answer]')) old.remove();
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    input.dataset['answer'] = '';
    form.append(input);
  }
  // A field may be called "submit".
  HTMLFormElement.prototype.submit.call(form);
}

function say(form: HTMLFormElement, text: string): void {
  const status = form.querySelector('[role="status"]');
  if (status) status.textContent = text;
}

function setBusy(form: HTMLFormElement, busy: boolean): void {
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
}

function creationOptions(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  if (PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const { challenge, user, excludeCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  } as object as PublicKeyCredentialCreationOptions;
}

function requestOptions(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if (PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const { challenge, allowCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    allowCredentials: allowCredentials.map(descriptor),
  } as object as PublicKeyCredentialRequestOptions;
}

function descriptor(json: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return { ...json, id: toBytes(json.id) } as PublicKeyCredentialDescriptor;
}

/** Password managers bring credentials of their own making, not all of which can do it themselves. */
function toJSON(credential: PublicKeyCredential): object {
  try {
    const json = credential.toJSON();
    if (json?.id) return json;
  } catch {
    // written out below
  }
  const { id, rawId, type, authenticatorAttachment } = credential;
  const response = credential.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const;
  const parts = members.filter((member) => response[member]).map((member) => [member, toText(response[member])]);
  return {
    id,
    rawId: toText(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
    response: { ...Object.fromEntries(parts), transports: response.getTransports?.() },
  };
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toText(buffer: ArrayBuffer | null): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer ?? []));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-webauthn]')) prepare(form);
