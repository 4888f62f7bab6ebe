// Written by `npm run page-script` from packages/core/page/passkey.ts.

/** The script of pages with passkeys. */
export const passkeyScript: string = `async function performCeremony({ action, options }, manner) {
  const credential =
    action === 'register'
      ? await navigator.credentials.create({
          ...manner,
          publicKey: creationOptions(options),
        })
      : await navigator.credentials.get({
          ...manner,
          publicKey: requestOptions(options),
        });
  manner.signal?.throwIfAborted();
  if(!credential) throw new DOMException('no credential', 'NotAllowedError');
  return JSON.stringify(toJSON(credential));
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
const OFFER_AGE = 10 * 60 * 1000;
const GRACE = 1500;
const RENEWED = 'renewed';
async function offerPasskeys(take, signal) {
  if(!(await PublicKeyCredential.isConditionalMediationAvailable?.()))
    throw new DOMException('no autofill', 'NotSupportedError');
  for(;;) {
    signal.throwIfAborted();
    const round = roundOf(signal);
    try {
      return await take({ mediation: 'conditional', signal: round.signal });
    } catch(error) {
      if(round.signal.reason !== RENEWED) throw error;
    } finally {
      round.end();
    }
  }
}
function roundOf(signal) {
  const abort = new AbortController();
  const renew =() => abort.abort(RENEWED);
  const stop =() => abort.abort(signal.reason);
  const timers = [setTimeout(renew, OFFER_AGE)];
  const onSeen =() => {
    if(document.visibilityState === 'visible') timers.push(setTimeout(renew, GRACE));
  };
  signal.addEventListener('abort', stop);
  document.addEventListener('visibilitychange', onSeen);
  return {
    signal: abort.signal,
    end() {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', onSeen);
    },
  };
}
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
  constructor(form) {
    this.form = form;
  }
  make() {
    this.withdraw();
    this.abort = new AbortController();
    offerPasskeys((manner) => run(this.form, 'authenticate', [], manner), this.abort.signal).catch(() => {
    });
  }
  withdraw() {
    this.abort?.abort();
  }
}
async function run(form, asked, fields, manner) {
  const address = new URL(form.dataset['webauthn'] ?? '', location.href);
  for(const [name, value] of fields) address.searchParams.set(name, value);
  address.searchParams.set('action', asked);
  const init = { headers: { accept: 'application/json' }, cache: 'no-store' };
  if(manner.signal) init.signal = manner.signal;
  const answer = await fetch(address, init);
  if(answer.status === 400) throw Object.assign(new Error('refused'), { name: 'BadRequest' });
  const question = await answer.json();
  const data = await performCeremony(question, manner);
  post(form, { action: question.action, data });
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
for(const form of document.querySelectorAll('form[data-webauthn]')) prepare(form);
`;
