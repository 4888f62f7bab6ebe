import { describe, expect, it } from 'vitest';
import de from '../../src/messages/de.ts';
import type { SignInProblem, SignInSite, SignInVisit } from '../../src/views/sign-in/data.ts';
import type { CredentialsEntry, SignInEntry } from '../../src/views/sign-in/layout.ts';
import { nextForm, passkeyStep, passwordStep, registerStep } from '../../src/views/sign-in/steps.ts';
import { type Form, forms, tags } from './outline.ts';
import {
  credentialsEntry,
  emailEntry,
  keyEntry,
  passkeyEntry,
  passwordEntry,
  scripts,
  serviceEntries,
  signIn,
  signInSite,
  signInVisit,
} from './samples.ts';

const page = (providers: readonly SignInEntry[], visit: Partial<SignInVisit> = {}, site: Partial<SignInSite> = {}) =>
  signIn({ scripts, providers, ...site }, visit);
const render = (...data: Parameters<typeof page>): string => page(...data).html;
const formOf = (html: string, path: string): Form | undefined =>
  forms(html).find(({ action }) => action?.endsWith(`/auth/${path}`));
const alertOf = (html: string) => /<div class="error" role="alert"[^>]*>(.*?)<\/div>/.exec(html)?.[1];
const texts = (html: string): string[] => forms(html).flatMap(({ buttons }) => buttons.map(({ text }) => text));
/** The `name` or the class of the elements that get the focus. */
const focused = (html: string): (string | undefined)[] =>
  tags(html)
    .filter(({ attributes }) => 'autofocus' in attributes)
    .map(({ attributes }) => attributes['name'] ?? attributes['class']);

describe('the form of a service', () => {
  const [form] = forms(render(serviceEntries(1)));

  it('posts token, callback URL and the name of the page to signinUrl', () => {
    expect(form?.action).toBe('https://app.example/auth/signin/github');
    expect(form?.method).toBe('POST');
    expect(form?.inputs['csrfToken']).toMatchObject({ type: 'hidden', value: 'token|hash' });
    expect(form?.inputs['callbackUrl']).toMatchObject({ type: 'hidden', value: 'https://app.example/inbox' });
    expect(form?.inputs['latchkeyPage']).toMatchObject({ type: 'hidden', value: 'signin' });
  });

  it('has a button named after the service', () => {
    expect(form?.buttons).toEqual([
      { attributes: { type: 'submit', class: 'button quiet' }, text: 'Sign in with GitHub' },
    ]);
  });

  it('has no token field when there is no token', () => {
    const [bare] = forms(render(serviceEntries(1), { csrfToken: undefined }));
    expect(Object.keys(bare?.inputs ?? {})).toEqual(['callbackUrl', 'latchkeyPage']);
  });

  it('shows the names alone, in two columns below a caption, if there are seven or more', () => {
    const html = render(serviceEntries(7));
    expect(html).toContain('<p class="caption">Sign in with</p>\n<div class="providers many">');
    expect(forms(html)[0]?.buttons[0]).toMatchObject({
      attributes: { 'aria-label': 'Sign in with GitHub' },
      text: 'GitHub',
    });
    expect(render(serviceEntries(6))).not.toContain('many"');
  });

  it('has a badge if it was used last', () => {
    const html = render(serviceEntries(2), { lastUsed: 'google' });
    expect(html.match(/<span class="badge">Last used<\/span>/g)).toHaveLength(1);
    expect(forms(html)[1]?.buttons[0]?.text).toContain('Last used');
  });
});

describe('the email form', () => {
  it('posts an address to signinUrl, with the ids and names of Auth.js v5', () => {
    const form = formOf(render([emailEntry]), 'signin/resend');
    expect(Object.keys(form?.inputs ?? {})).toEqual(['csrfToken', 'callbackUrl', 'latchkeyPage', 'email']);
    expect(form?.inputs['email']).toMatchObject({
      ...{ id: 'input-email-for-resend-provider', type: 'email', autocomplete: 'email', required: '', autofocus: '' },
    });
    expect(form?.buttons).toEqual([
      { attributes: { id: 'submitButton', type: 'submit', class: 'button' }, text: 'Continue' },
    ]);
  });

  it('starts with the given address', () => {
    const form = formOf(render([emailEntry], { identifier: '"a b"@example.com' }), 'signin/resend');
    expect(form?.inputs['email']?.['value']).toBe('"a b"@example.com');
  });

  it('comes before the services, with "or" between', () => {
    const html = render([...serviceEntries(2), emailEntry]);
    expect(forms(html).map(({ action }) => action?.split('/auth/')[1])).toEqual([
      ...['signin/resend', 'signin/github', 'signin/google'],
    ]);
    expect(html.match(/<p class="or">or<\/p>/g)).toHaveLength(1);
    expect(render(serviceEntries(2))).not.toContain('class="or"');
    expect(render([emailEntry])).not.toContain('class="or"');
  });
});

describe('the credentials form', () => {
  const form = (fields: CredentialsEntry['fields'], visit: Partial<SignInVisit> = {}) =>
    forms(render([{ ...passwordEntry, fields }], visit))[0];

  it('posts the configured fields to callbackUrl, with the ids and names of Auth.js v5', () => {
    const [sent] = forms(render([credentialsEntry]));
    expect(sent?.action).toBe('https://app.example/auth/callback/credentials');
    expect(Object.keys(sent?.inputs ?? {})).toEqual([
      ...['csrfToken', 'callbackUrl', 'latchkeyPage', 'username', 'password', 'remember'],
    ]);
    expect(sent?.inputs['username']).toMatchObject({
      ...{ id: 'input-username-for-credentials-provider', type: 'text', placeholder: 'jsmith', required: '' },
      autocomplete: 'username',
    });
    expect(sent?.inputs['password']).toMatchObject({ type: 'password', autocomplete: 'current-password' });
    expect(sent?.buttons[0]).toMatchObject({ attributes: { id: 'submitButton' }, text: 'Sign in' });
  });

  it('focuses the name, and fills it in', () => {
    const html = render([passwordEntry], { identifier: 'ada' });
    expect(focused(html)).toEqual(['username']);
    expect(forms(html)[0]?.inputs['username']?.['value']).toBe('ada');
  });

  it('tells the script of the page how to show the password', () => {
    expect(forms(render([passwordEntry]))[0]?.inputs['password']).toMatchObject({
      ...{ 'data-show': 'Show password', 'data-hide': 'Hide password' },
    });
  });

  it('links to the page for forgotten passwords, if it has a password', () => {
    const link = '<a href="/reset">Forgot your password?</a>';
    expect(render([passwordEntry], {}, { forgotPasswordUrl: '/reset' })).toContain(link);
    const pin = { ...passwordEntry, fields: { pin: {} } };
    expect(render([pin], {}, { forgotPasswordUrl: '/reset' })).not.toContain(link);
  });

  it('labels each input', () => {
    const html = render([credentialsEntry]);
    const labels = tags(html).filter((tag) => tag.name === 'label');
    const inputs = tags(html).filter((tag) => tag.name === 'input' && tag.attributes['type'] !== 'hidden');
    expect(labels.map((tag) => tag.attributes['for']).sort()).toEqual(inputs.map((tag) => tag.attributes['id']).sort());
  });

  it('writes harmless attributes, in any spelling', () => {
    const given = {
      type: 'tel',
      placeholder: 'p',
      autoComplete: 'tel',
      inputMode: 'tel',
      pattern: '\\d+',
      minLength: 4,
      maxlength: 9,
      title: 't',
      value: 'v',
      readOnly: true,
      disabled: true,
      spellCheck: false,
      'data-testid': 'x',
      'aria-describedby': 'y',
    };
    expect(form({ code: given })?.inputs['code']).toEqual({
      name: 'code',
      id: 'input-code-for-credentials-provider',
      type: 'tel',
      placeholder: 'p',
      autocomplete: 'tel',
      inputmode: 'tel',
      pattern: '\\d+',
      minlength: '4',
      maxlength: '9',
      title: 't',
      value: 'v',
      readonly: '',
      disabled: '',
      spellcheck: 'false',
      'data-testid': 'x',
      'aria-describedby': 'y',
    });
  });

  it('leaves out absent values and everything that is not on the list', () => {
    const given = {
      label: 'Code',
      required: false,
      autofocus: undefined,
      placeholder: null,
      min: {},
      max: () => 1,
      onfocus: 'alert(1)',
      onFocus: 'x',
      style: 'color:red',
      class: 'x',
      name: 'other',
      id: 'other',
      form: 'f',
      formaction: '//evil.example',
      src: '//evil.example',
      list: 'l',
      'x y': 'z',
      'data-"><script>': 'z',
    } as never;
    expect(form({ code: given })?.inputs['code']).toEqual({
      name: 'code',
      id: 'input-code-for-credentials-provider',
      type: 'text',
    });
  });

  it.each(['submit', 'image', 'file', 'button', 'reset', 'x" onfocus="y', '__proto__'])(
    'type %s becomes text',
    (type) => {
      expect(form({ code: { type } })?.inputs['code']?.['type']).toBe('text');
    },
  );

  it('has a button even without fields', () => {
    expect(form({})?.buttons).toHaveLength(1);
  });

  it('is closed in an element of its own beside other ways, and open if it has the message', () => {
    const pin = { ...passwordEntry, id: 'pin', name: 'PIN', fields: { pin: {} } };
    const html = render([...serviceEntries(1), pin]);
    expect(html).toContain('<details class="way"><summary>Sign in with PIN</summary>');
    expect(formOf(html, 'callback/credentials')?.buttons[0]?.attributes['id']).toBe('submitButton-pin');
    const problem = { error: 'CredentialsSignin', provider: 'pin' };
    expect(render([...serviceEntries(1), pin], { problem })).toContain('<details class="way" open>');
  });
});

describe('the form for an address or a name', () => {
  const identifier = (...[providers, visit]: Parameters<typeof page>) =>
    formOf(render(providers, visit), 'signin')?.inputs['identifier'];

  it('stands for mail and password, and posts to the sign-in page', () => {
    const html = render([emailEntry, passwordEntry]);
    expect(forms(html)).toHaveLength(1);
    expect(html).toContain('<label for="input-identifier">Email or Username</label>');
    expect(identifier([emailEntry, passwordEntry])).toMatchObject({
      ...{ type: 'text', autocomplete: 'username', maxlength: '254', required: '', autofocus: '' },
    });
    expect(texts(html)).toEqual(['Continue']);
  });

  it('asks for an address if both ways take one', () => {
    const { password, username } = passwordEntry.fields;
    const byAddress = {
      ...passwordEntry,
      fields: { login: { ...username, type: 'email' }, password: { ...password } },
    };
    expect(render([emailEntry, byAddress])).toContain('<label for="input-identifier">Email</label>');
    expect(identifier([emailEntry, byAddress])).toMatchObject({ type: 'email' });
  });

  it('asks for the name of a key', () => {
    expect(render([keyEntry])).toContain('<label for="input-identifier">Email</label>');
    expect(identifier([keyEntry])).toMatchObject({ type: 'email' });
    expect(texts(render([keyEntry]))).toEqual(['Continue']);
  });

  it.each<[string, SignInEntry[], string]>([
    ['mail', [emailEntry, passkeyEntry], 'email'],
    ['credentials', [passwordEntry, passkeyEntry], 'username'],
    ['both', [emailEntry, passwordEntry, passkeyEntry], 'identifier'],
  ])('of %s offers passkeys in its field', (_, providers, name) => {
    const html = render(providers);
    expect(forms(html)[0]?.inputs[name]?.['autocomplete']).toBe('username webauthn');
    expect(tags(html).find(({ attributes }) => attributes['id'] === 'passkey-form')?.attributes).toMatchObject({
      'data-autofill': 'true',
    });
    expect(render([{ ...passkeyEntry, autofill: false }, emailEntry])).not.toMatch(/webauthn"|data-autofill/);
  });
});

describe('the form of passkeys', () => {
  it('has a button, which does nothing without its script', () => {
    const html = render([passkeyEntry]);
    expect(tags(html).find(({ name }) => name === 'form')?.attributes).toEqual({
      ...{ class: 'passkey', id: 'passkey-form', action: 'https://app.example/auth/callback/passkey', method: 'POST' },
      ...{ novalidate: '', 'data-webauthn': 'https://app.example/auth/webauthn-options/passkey' },
    });
    expect(forms(html)[0]?.buttons).toEqual([
      {
        attributes: { id: 'submitButton-passkey', type: 'submit', class: 'button', disabled: '' },
        text: 'Sign in with a passkey',
      },
    ]);
    expect(html).toMatch(/<noscript><p class="message">[^<]*JavaScript[^<]*<\/p><\/noscript>/);
  });

  it('is not the primary one beside a field', () => {
    expect(formOf(render([passkeyEntry, emailEntry]), 'callback/passkey')?.buttons[0]?.attributes['class']).toBe(
      'button quiet',
    );
  });

  it('leads to a page that creates an account, unless new users are refused', () => {
    const link = '<a href="https://app.example/auth/signin?step=register">Create an account</a>';
    expect(render([passkeyEntry])).toContain(link);
    expect(render([{ ...passkeyEntry, createsUsers: false }])).not.toContain('Create an account');
    expect(render([passkeyEntry], {}, { signUpUrl: '/join' })).toContain('<a href="/join">Create an account</a>');
  });

  it('adds a passkey for a signed-in user', () => {
    const html = render([passkeyEntry, emailEntry], { visitor: 'ada@example.com' });
    expect(formOf(html, 'callback/passkey')?.buttons[0]).toMatchObject({
      attributes: { 'data-ceremony': 'register' },
      text: 'Add a passkey',
    });
    expect(html).toContain('signed in as <strong><bdi>ada@example.com</bdi></strong>.');
    expect(html).not.toMatch(/data-autofill|Create an account/);
  });

  it('is offered in the field of the name, and in no other', () => {
    const { username: _, ...others } = passwordEntry.fields;
    for (const autocomplete of [undefined, '']) {
      const fields = { username: { autocomplete }, ...others };
      const [form] = forms(render([{ ...passwordEntry, fields }, passkeyEntry]));
      expect(form?.inputs['username']).toMatchObject({ autocomplete: 'username webauthn' });
      expect(form?.inputs['password']).toMatchObject({ autocomplete: 'current-password' });
    }
  });

  it('is the primary one if it is the first of all', () => {
    const second = { ...passkeyEntry, id: 'second', name: 'Second' };
    const classes = forms(render([passkeyEntry, second])).map(({ buttons }) => buttons[0]?.attributes['class']);
    expect(classes).toEqual(['button', 'button quiet']);
  });

  it('brings the texts of what it does', () => {
    const canceled = (html: string) => /data-notallowederror="([^"]*)"/.exec(html)?.[1];
    expect(canceled(render([passkeyEntry]))).toMatch(/^No passkey was used/);
    expect(canceled(render([passkeyEntry], { visitor: 'ada@example.com' }))).toMatch(/^No passkey was created/);
    expect(canceled(registerStep(signInSite({ scripts, providers: [passkeyEntry] }), signInVisit()).html)).toMatch(
      /^No passkey was created/,
    );
  });

  it('is named as the owner has named it', () => {
    expect(texts(render([{ ...passkeyEntry, name: 'Acme Key' }]))).toEqual(['Sign in with Acme Key']);
  });

  it('brings its script; all pages have the script of pages', () => {
    expect(page([passkeyEntry]).scripts).toEqual([scripts.page, scripts.passkey]);
    expect(page([emailEntry]).scripts).toEqual([scripts.page]);
  });
});

describe('the page of the password', () => {
  /** The page after the field for an address or a name. */
  const passwordPage = (site: Partial<SignInSite> = {}, fields: CredentialsEntry['fields'] = {}): string => {
    const own = { ...passwordEntry, fields: { ...passwordEntry.fields, ...fields } };
    const whole = signInSite({ scripts, providers: [emailEntry, own], ...site });
    const next = nextForm(whole);
    if (next?.kind !== 'identifier') throw new Error('the page has no step for the password');
    return passwordStep(whole, next, { ...signInVisit(), identifier: 'ada@example.com' }, true).html;
  };

  it('links to the page for forgotten passwords, if there is one', () => {
    expect(passwordPage({ forgotPasswordUrl: '/reset' })).toContain('<a href="/reset">');
    expect(passwordPage().match(/<p class="links">/g) ?? []).toEqual([]);
  });

  it('has the fields that visitors do not see', () => {
    const [form] = forms(passwordPage({}, { tenant: { type: 'hidden', value: 'acme' } }));
    expect(Object.keys(form?.inputs ?? {})).toEqual([
      ...['csrfToken', 'callbackUrl', 'latchkeyPage', 'username', 'password', 'tenant'],
    ]);
  });
});

describe('the page that adds a passkey', () => {
  it('has a button for each provider of passkeys, and names the user', () => {
    const providers = [emailEntry, passkeyEntry, { ...passkeyEntry, id: 'second', name: 'Second' }];
    const site = signInSite({ scripts, providers });
    const { html } = passkeyStep(site, { ...signInVisit(), visitor: 'ada@example.com' });
    expect(html).toContain('signed in as <strong><bdi>ada@example.com</bdi></strong>.');
    expect(forms(html).map(({ buttons }) => buttons[0]?.attributes['class'])).toEqual(['button', 'button quiet']);
    expect(passkeyStep(site, signInVisit()).html).not.toContain('signed in as');
  });
});

describe('the page', () => {
  it('says so when there is no way to sign in', () => {
    expect(render([])).toContain('There is no way to sign in yet');
    expect(forms(render([]))).toEqual([]);
  });

  it('has one primary button', () => {
    const providers = [...serviceEntries(3), passkeyEntry, emailEntry, passwordEntry];
    const buttons = forms(render(providers)).flatMap((form) => form.buttons);
    expect(buttons.filter(({ attributes }) => attributes['class'] === 'button')).toHaveLength(1);
  });

  it('names a second provider of mails', () => {
    const backup = { ...emailEntry, id: 'backup', name: 'Backup' } as SignInEntry;
    expect(render([emailEntry, backup])).toContain('<summary>Email me with Backup</summary>');
  });

  it('leads nowhere but to web addresses', () => {
    const unsafe = { ...emailEntry, signinUrl: 'java\nscript:alert(1)' } as SignInEntry;
    expect(forms(render([unsafe]))[0]?.action).toBe('/');
  });

  it('is in the language of the request', () => {
    const html = render([...serviceEntries(1), emailEntry], {}, { language: { ...de, dir: 'rtl' } });
    expect(html).toContain('<html lang="de" dir="rtl"');
    expect(html).toContain('<h1>Anmelden</h1>');
    expect(texts(html)).toEqual(['Weiter', 'Mit GitHub anmelden']);
  });
});

describe('after an error', () => {
  const providers = [...serviceEntries(2), passkeyEntry, emailEntry];
  const shown = (problem: SignInProblem, site: Partial<SignInSite> = {}): string =>
    render(providers, { problem }, site);

  it.each<[SignInProblem, string, string]>([
    [{ error: 'OAuthCallbackError', provider: 'github' }, 'GitHub did not complete the sign-in.', 'github'],
    [
      { error: 'OAuthCallbackError', reason: 'cancelled', provider: 'github' },
      'You cancelled the sign-in at GitHub.',
      'github',
    ],
    [{ error: 'OAuthCallbackError', provider: 'other' }, 'The service did not complete the sign-in.', ''],
    [{ error: 'OAuthSignin', provider: 'google' }, 'Google cannot be reached right now.', ''],
    [
      { error: 'OAuthCreateAccount', reason: 'unverified', provider: 'google' },
      'Verify your address at Google, then sign in again.',
      'google',
    ],
    [{ error: 'OAuthCreateAccount', provider: 'google' }, 'Your account could not be created. Try again.', 'google'],
    [{ error: 'EmailCreateAccount', provider: 'resend' }, 'Your account could not be created. Try again.', ''],
    [
      { error: 'OAuthAccountNotLinked', reason: 'offer', provider: 'google' },
      'You have an account. Sign in as before, then add Google.',
      '',
    ],
    [
      { error: 'OAuthAccountNotLinked', reason: 'other-user', provider: 'google' },
      'This Google account belongs to another account here.',
      'signout',
    ],
    [{ error: 'OAuthAccountNotLinked' }, 'You have an account. Sign in the way you did before.', ''],
    [{ error: 'AccountNotLinked' }, 'This passkey belongs to another account here.', 'signout'],
    [{ error: 'AccountReassigned', provider: 'google' }, 'Another person has used this Google name here.', 'help'],
    [{ error: 'Callback', provider: 'google' }, 'Google sent an incomplete profile.', 'help'],
    [{ error: 'InvalidCheck', provider: 'google' }, 'The sign-in expired or was started in another browser.', 'google'],
    [{ error: 'InvalidCheck', provider: 'passkey' }, 'The sign-in expired or was started in another browser.', ''],
    [{ error: 'MissingCSRF' }, 'This page was open for too long. Try again.', ''],
    [{ error: 'InvalidProvider' }, 'This way to sign in is not available.', ''],
    [{ error: 'RateLimited', retryAfter: 240 }, 'Too many attempts. Try again in\u00A04\u00A0minutes.', ''],
    [{ error: 'RateLimited' }, 'Too many attempts. Try again in a few minutes.', ''],
    [{ error: 'WebAuthnVerificationError' }, 'Your passkey could not be verified.', ''],
    [{ error: 'Signin' }, 'You could not be signed in. Try again.', ''],
  ])('%j, a box says "%s", and offers %j', (problem, text, next) => {
    const html = shown(problem, { theme: { links: { help: '/help' } } });
    expect(alertOf(html)).toBe(`<p>${text}</p>`);
    expect(focused(html)).toEqual(['error']);
    expect(html).toContain('<title>Error: Sign in</title>');
    const again = forms(html).find(({ buttons }) => buttons[0]?.text.startsWith('Try again with'));
    expect(again?.action?.split('/').at(-1)).toBe(['github', 'google'].includes(next) ? next : undefined);
    const [, beforeForms = ''] = /<\/div>\n([\s\S]*?)<div class="ways">/.exec(html) ?? [];
    expect(beforeForms.includes('href="https://app.example/auth/signout"')).toBe(next === 'signout');
    expect(beforeForms.includes('href="/help"')).toBe(next === 'help');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'get', 'signin', 'Nonsense', '<script>'])(
    '%s, it has the general text',
    (error) => {
      expect(alertOf(shown({ error, reason: 'constructor' }))).toBe('<p>You could not be signed in. Try again.</p>');
    },
  );

  it('SessionRequired, a notice does not take the focus', () => {
    const html = shown({ error: 'SessionRequired' });
    expect(html).toContain('<div class="notice" role="status"><p>Sign in to see this page.</p></div>');
    expect(focused(html)).toEqual(['email']);
    expect(html).toContain('<title>Sign in</title>');
    expect(alertOf(html)).toBeUndefined();
  });

  it.each<[SignInProblem, string]>([
    [{ error: 'EmailSignin', reason: 'address' }, 'Enter an email address, for example ada@example.com.'],
    [{ error: 'EmailSignin', reason: 'delivery' }, 'The email could not be sent. Try again in a minute.'],
    [{ error: 'EmailSignin' }, 'The email could not be sent. Try again in a minute.'],
  ])('%j, the message is in the form, and the address stays', (problem, text) => {
    const values = { email: 'ada@' };
    const html = shown({ ...problem, provider: 'resend', values });
    const [form = ''] = /<form class="identifier"[\s\S]*?<\/form>/.exec(html) ?? [];
    expect(alertOf(form)).toBe(`<p>${text}</p>`);
    expect(forms(form)[0]?.inputs['email']).toMatchObject({
      ...{ value: 'ada@', 'aria-invalid': 'true', 'aria-describedby': 'submitButton-error', autofocus: '' },
    });
    expect(form).toContain('id="submitButton-error"');
    expect(focused(html)).toEqual(['email']);
    expect(texts(form)).toEqual([problem.reason === 'delivery' ? 'Send again' : 'Continue']);
  });

  it('of credentials, the name stays, the password does not, and the password has the focus', () => {
    const values = { username: 'ada', password: 'secret', remember: 'on' };
    const problem = { error: 'CredentialsSignin', provider: 'credentials', values };
    const html = render([credentialsEntry], { problem });
    const inputs = forms(html)[0]?.inputs;
    expect(inputs?.['username']).toMatchObject({ value: 'ada' });
    expect(inputs?.['username']).not.toHaveProperty('aria-invalid');
    expect(inputs?.['password']).toMatchObject({ 'aria-invalid': 'true', autofocus: '' });
    expect(inputs?.['remember']).toMatchObject({ checked: '' });
    expect(focused(html)).toEqual(['password']);
    expect(html).not.toContain('secret');
  });

  it('of credentials, what was ticked and chosen stays so', () => {
    const fields = { news: { type: 'checkbox', checked: true }, plan: { type: 'radio', value: 'pro' } };
    const inputs = (values?: Record<string, string>) => {
      const problem = values && { error: 'CredentialsSignin', provider: 'credentials', values };
      return forms(render([{ ...passwordEntry, fields }], { problem }))[0]?.inputs ?? {};
    };
    const ticked = (values?: Record<string, string>): string[] =>
      Object.entries(inputs(values)).flatMap(([name, attributes]) => ('checked' in attributes ? [name] : []));
    expect(ticked()).toEqual(['news']);
    expect(ticked({ plan: 'pro' })).toEqual(['plan']);
    expect(ticked({ news: 'on', plan: 'free' })).toEqual(['news']);
  });

  it.each(['one-time-code', 'section-a cc-number', 'cc-csc'])(
    'a field with autocomplete %s is empty',
    (autocomplete) => {
      const entry = { ...passwordEntry, fields: { number: { autocomplete }, note: {} } };
      const values = { number: '4111', note: 'kept' };
      const html = render([entry], { problem: { error: 'CredentialsSignin', provider: 'credentials', values } });
      expect(forms(html)[0]?.inputs['note']).toMatchObject({ value: 'kept' });
      expect(html).not.toContain('4111');
    },
  );

  it('the values of one form are not in another', () => {
    const pin = { ...passwordEntry, id: 'pin', fields: { username: {} } };
    const problem = { error: 'CredentialsSignin', provider: 'credentials', values: { username: 'ada' } };
    expect(render([passwordEntry, pin], { problem }).match(/value="ada"/g)).toHaveLength(1);
  });

  it('a code that the application chose has its text, or is shown, and no sentences are', () => {
    const refused = (code: string, codes?: Record<string, string>) =>
      alertOf(
        render(
          [passwordEntry],
          { problem: { error: 'CredentialsSignin', code } },
          codes && { language: { ...de, codes } },
        ),
      );
    expect(refused('locked-out')).toBe('<p>These details are not correct.</p><p>Code: locked-out</p>');
    expect(refused('locked-out', { 'locked-out': 'Gesperrt <b>.' })).toBe('<p>Gesperrt &lt;b&gt;.</p>');
    expect(refused('toString', {})).toContain('Code: toString');
    for (const code of ['credentials', 'Call +1 900 555 now', '<b>', 'x'.repeat(41)]) {
      expect(refused(code)).toBe('<p>These details are not correct.</p>');
    }
    expect(alertOf(shown({ error: 'Callback', code: 'locked-out' }))).not.toContain('Code');
  });

  it('is absent without an error', () => {
    expect(alertOf(render(providers))).toBeUndefined();
  });
});
