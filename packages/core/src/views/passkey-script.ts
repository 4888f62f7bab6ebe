// Written by `npm run page-script` from packages/core/page/passkey.ts.

/** The script of pages with passkeys. */
export const passkeyScript: string = `const OFFER_AGE = 10 * 60 * 1000;
const GRACE = 1500;
const words = {
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
function prepare(form) {
  if(typeof PublicKeyCredential !== 'function' || !navigator.credentials) {
    say(form, 'This browser cannot use passkeys here.');
    return;
  }
  const offer = form.dataset['autofill'] === undefined ? undefined : new Offer(form);
  setBusy(form, false);
  form.addEventListener('submit', async(event) => {
    event.preventDefault();
    offer?.withdraw();
    const ceremony = event.submitter?.dataset['ceremony'] === 'register' ? 'register' : 'authenticate';
    if(!(await press(form, ceremony))) offer?.make();
  });
  addEventListener('pageshow',(event) => {
    if(event.persisted) {
      setBusy(form, false);
      offer?.make();
    }
  });
  offer?.make();
}
async function press(form, ceremony) {
  say(form, '');
  if(ceremony === 'register' && !form.reportValidity()) return false;
  setBusy(form, true);
  try {
    await run(form, ceremony, fieldsOf(form), {});
    return true;
  } catch(error) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : '';
    say(form,(words[name] ?? words['Other'])?.[ceremony] ?? '');
    setBusy(form, false);
    return false;
  }
}
class Offer {
  form;
  abort;
  timer = 0;
  constructor(form) {
    this.form = form;
    document.addEventListener('visibilitychange',() => {
      const { abort } = this;
      if(!abort || document.visibilityState !== 'visible') return;
      setTimeout(() => abort === this.abort && this.make(), GRACE);
    });
  }
  make() {
    this.withdraw();
    this.abort = new AbortController();
    void this.wait(this.abort);
  }
  async wait(abort) {
    try {
      if(!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || abort.signal.aborted) return;
      this.timer = setTimeout(() => this.make(), OFFER_AGE);
      await run(this.form, 'authenticate', [], { mediation: 'conditional', signal: abort.signal });
    } catch {
    } finally {
      if(abort === this.abort) this.withdraw();
    }
  }
  withdraw() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = undefined;
  }
}
async function run(
  form,
  asked,
  fields,
  how,
) {
  const address = new URL(form.dataset['webauthn'] ?? '', location.href);
  for(const [name, value] of fields) address.searchParams.set(name, value);
  address.searchParams.set('action', asked);
  const init = { headers: { accept: 'application/json' }, cache: 'no-store' };
  if(how.signal) init.signal = how.signal;
  const answer = await fetch(address, init);
  if(answer.status === 400) throw Object.assign(new Error('refused'), { name: 'BadRequest' });
  const { action, options } = await answer.json();
  const credential =
    action === 'register'
      ? await navigator.credentials.create({ ...how, publicKey: creationOptions(options) })
      : await navigator.credentials.get({ ...how, publicKey: requestOptions(options) });
  if(!credential || how.signal?.aborted) throw new Error('no credential');
  post(form, { action, data: JSON.stringify(toJSON(credential)) });
}
function fieldsOf(form) {
  const inputs = [...form.querySelectorAll('[data-form-field]')];
  const sent = inputs.filter(({ type, checked }) => checked ||(type !== 'checkbox' && type !== 'radio'));
  return sent.map(({ name, value }) => [name, value]).filter(([, value]) => value !== '');
}
function post(form, fields) {
  for(const old of form.querySelectorAll('input[data-answer]')) old.remove();
  for(const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    input.dataset['answer'] = '';
    form.append(input);
  }
  HTMLFormElement.prototype.submit.call(form);
}
function say(form, text) {
  const status = form.querySelector('[role="status"]');
  if(status) status.textContent = text;
}
function setBusy(form, busy) {
  for(const button of form.querySelectorAll('button')) button.disabled = busy;
}
function creationOptions(json) {
  if(PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const { challenge, user, excludeCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  };
}
function requestOptions(json) {
  if(PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const { challenge, allowCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    allowCredentials: allowCredentials.map(descriptor),
  };
}
function descriptor(json) {
  return { ...json, id: toBytes(json.id) };
}
function toJSON(credential) {
  try {
    const json = credential.toJSON();
    if(json?.id) return json;
  } catch {
  }
  const { id, rawId, type, authenticatorAttachment } = credential;
  const response = credential.response;
  const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
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
function toBytes(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary,(character) => character.charCodeAt(0));
}
function toText(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer ?? []));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
for(const form of document.querySelectorAll('form[data-webauthn]')) prepare(form);
`;
