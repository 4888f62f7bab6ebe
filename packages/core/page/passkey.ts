/**
 * The script of pages that use and make passkeys. It prepares each form with `data-webauthn`, the address of the
 * options. The form posts to the callback. A button with `data-ceremony="register"` makes a passkey; any other button
 * uses one. With `data-autofill`, the browser offers passkeys in a field. Fields with `data-form-field` are sent with
 * the request for options. The element with `role="status"` has the texts in `data-` attributes, by the name of the
 * error in lower case; `data-other` is for all other errors.
 *
 * `npm run page-script` builds the script, which is served as `asset/passkey.js`.
 */

import { type Ceremony, offerPasskeys, type PromptOptions, performCeremony } from '../src/client/ceremony.ts';

function prepare(form: HTMLFormElement): void {
  if (typeof PublicKeyCredential !== 'function' || !navigator.credentials) {
    say(form, 'unsupported');
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
  // The visitor has returned by the back button, and the page is as it was.
  addEventListener('pageshow', (event) => {
    if (event.persisted) {
      setBusy(form, false);
      offer?.make();
    }
  });
  offer?.make();
}

/** Returns whether the form was sent. */
async function press(form: HTMLFormElement, ceremony: Ceremony): Promise<boolean> {
  say(form);
  if (ceremony === 'register' && !form.reportValidity()) return false;
  setBusy(form, true);
  try {
    await run(form, ceremony, fieldsOf(form), {});
    return true;
  } catch (error) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : '';
    say(form, name.toLowerCase());
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
    offerPasskeys((prompt) => run(this.form, 'authenticate', [], prompt), this.abort.signal).catch(() => {
      // The visitor has not asked for the offer, and can use the buttons.
    });
  }

  withdraw(): void {
    this.abort?.abort();
  }
}

/** Performs one ceremony and posts the answer. */
async function run(
  form: HTMLFormElement,
  ceremony: Ceremony,
  fields: [string, string][],
  prompt: PromptOptions,
): Promise<void> {
  const address = new URL(form.dataset['webauthn'] ?? '', location.href);
  for (const [name, value] of fields) address.searchParams.set(name, value);
  address.searchParams.set('action', ceremony);
  const init: RequestInit = { headers: { accept: 'application/json' }, cache: 'no-store' };
  if (prompt.signal) init.signal = prompt.signal;
  const answer = await fetch(address, init);
  if (answer.status === 400) throw Object.assign(new Error('refused'), { name: 'BadRequest' });
  const options = await answer.json();
  const data = await performCeremony(options, prompt);
  post(form, { action: options.action, data });
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
  // A field named "submit" would hide the form's own method.
  HTMLFormElement.prototype.submit.call(form);
}

/** Shows the text for an error, or removes it. */
function say(form: HTMLFormElement, error?: string): void {
  const status = form.querySelector<HTMLElement>('[role="status"]');
  if (status)
    status.textContent = (error === undefined ? '' : (status.dataset[error] ?? status.dataset['other'])) ?? '';
}

function setBusy(form: HTMLFormElement, busy: boolean): void {
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-webauthn]')) prepare(form);
