/**
 * What a page needs to use and make passkeys: a form with `data-webauthn`, the address of the options, that posts to the callback.
 * A button with `data-ceremony="register"` makes a passkey, any other one uses one; with `data-autofill` the browser offers passkeys
 * in a field. Values of fields with `data-form-field` go along. Served as `asset/passkey.js`; `npm run page-script` makes it of this.
 */

import { type Ceremony, type Manner, performCeremony } from '../src/client/ceremony.ts';
import { offerPasskeys } from '../src/client/offer.ts';

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

/** Offers passkeys in a field's autofill. */
class Offer {
  form: HTMLFormElement;
  abort: AbortController | undefined;

  constructor(form: HTMLFormElement) {
    this.form = form;
  }

  make(): void {
    this.withdraw();
    this.abort = new AbortController();
    offerPasskeys((manner) => run(this.form, 'authenticate', [], manner), this.abort.signal).catch(() => {
      // Nobody has asked for it: the buttons are there.
    });
  }

  withdraw(): void {
    this.abort?.abort();
  }
}

/** One ceremony, from the question to the post; resolves when the page is about to be left. */
async function run(form: HTMLFormElement, asked: Ceremony, fields: [string, string][], manner: Manner): Promise<void> {
  const address = new URL(form.dataset['webauthn'] ?? '', location.href);
  for (const [name, value] of fields) address.searchParams.set(name, value);
  address.searchParams.set('action', asked);
  const init: RequestInit = { headers: { accept: 'application/json' }, cache: 'no-store' };
  if (manner.signal) init.signal = manner.signal;
  const answer = await fetch(address, init);
  if (answer.status === 400) throw Object.assign(new Error('refused'), { name: 'BadRequest' });
  const question = await answer.json();
  const data = await performCeremony(question, manner);
  post(form, { action: question.action, data });
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

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-webauthn]')) prepare(form);
