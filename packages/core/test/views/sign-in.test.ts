import { describe, expect, it } from 'vitest';
import { type CredentialsEntry, type SignInPageData, signInPage } from '../../src/views/sign-in.ts';
import { forms, tags } from './outline.ts';
import { credentialsEntry, emailEntry, passkeyEntry, serviceEntries, signInData } from './samples.ts';

const render = (data: Partial<SignInPageData>) => signInPage(signInData(data)).html;
const alertOf = (page: string) => /<div class="error[ a-z]*" role="alert">(.*?)<\/div>/.exec(page)?.[1];

describe('the form of a service', () => {
  const [form] = forms(render({ providers: serviceEntries(1) }));

  it('posts token and callback URL to signinUrl', () => {
    expect(form?.action).toBe('https://app.example/auth/signin/github');
    expect(form?.method).toBe('POST');
    expect(form?.inputs['csrfToken']).toMatchObject({ type: 'hidden', value: 'token|hash' });
    expect(form?.inputs['callbackUrl']).toMatchObject({ type: 'hidden', value: 'https://app.example/inbox' });
  });

  it('has a button named after the service', () => {
    expect(form?.buttons).toEqual([
      { attributes: { type: 'submit', class: 'button quiet' }, text: 'Sign in with GitHub' },
    ]);
  });

  it('has no token field when there is no token', () => {
    const [bare] = forms(render({ providers: serviceEntries(1), csrfToken: undefined }));
    expect(Object.keys(bare?.inputs ?? {})).toEqual(['callbackUrl']);
  });
});

describe('the form of passkeys', () => {
  const page = (data: Partial<SignInPageData> = {}) =>
    signInPage(signInData({ providers: [passkeyEntry], passkeyScript: '/auth/asset/passkey.js?v=1', ...data }));
  const [form] = forms(page().html);
  const attributes = () => tags(page().html).find(({ name }) => name === 'form')?.attributes;

  it('posts to callbackUrl, and tells its script where to ask', () => {
    expect(attributes()).toEqual({
      id: 'passkey-form',
      action: 'https://app.example/auth/callback/passkey',
      method: 'POST',
      novalidate: '',
      'data-webauthn': 'https://app.example/auth/webauthn-options/passkey',
      'data-autofill': 'true',
    });
    expect(form?.inputs['csrfToken']).toMatchObject({ type: 'hidden', value: 'token|hash' });
    expect(form?.inputs['callbackUrl']).toMatchObject({ type: 'hidden', value: 'https://app.example/inbox' });
  });

  it('has the fields of the provider, marked for the script', () => {
    expect(form?.inputs['email']).toMatchObject({
      id: 'input-email-for-passkey-provider',
      autocomplete: 'username webauthn',
      required: '',
      'data-form-field': 'true',
    });
  });

  it('has a button to sign in, which comes first, and one to make a passkey; neither works without the script', () => {
    expect(form?.buttons).toEqual([
      {
        attributes: { id: 'submitButton-passkey', type: 'submit', class: 'button', disabled: '' },
        text: 'Sign in with a passkey',
      },
      {
        attributes: { type: 'submit', class: 'button quiet', 'data-ceremony': 'register', disabled: '' },
        text: 'Create a passkey',
      },
    ]);
    expect(page().html).toMatch(/<noscript><p class="message">[^<]*JavaScript[^<]*<\/p><\/noscript>/);
  });

  it('adds a passkey for a signed-in user, without asking for an address', () => {
    const [add] = forms(page({ visitor: 'ada@example.com' }).html);
    expect(Object.keys(add?.inputs ?? {})).toEqual(['csrfToken', 'callbackUrl']);
    expect(add?.buttons).toEqual([
      {
        attributes: { type: 'submit', class: 'button', 'data-ceremony': 'register', disabled: '' },
        text: 'Add a passkey',
      },
    ]);
    expect(page({ visitor: 'ada@example.com' }).html).toContain('signed in as <strong>ada@example.com</strong>');
    expect(page({ visitor: 'ada@example.com' }).html).not.toContain('data-autofill');
  });

  it('is named as the owner has named it', () => {
    const named = page({ providers: [{ ...passkeyEntry, name: 'Acme Key' }] });
    expect(forms(named.html)[0]?.buttons[0]?.text).toBe('Sign in with Acme Key');
  });

  it('brings its script, as the only kind of page', () => {
    expect(page().scripts).toEqual(['/auth/asset/passkey.js?v=1']);
    expect(page().html).toContain('<script type="module" src="/auth/asset/passkey.js?v=1"></script>');
    const other = page({ providers: [emailEntry] });
    expect([other.scripts, other.html.includes('<script')]).toEqual([[], false]);
  });

  it('offers no autofill where the provider wants none', () => {
    expect(page({ providers: [{ ...passkeyEntry, autofill: false }] }).html).not.toContain('data-autofill');
  });

  it('stands between services and mail, whose button keeps its id', () => {
    const html = render({ providers: [emailEntry, credentialsEntry, passkeyEntry, ...serviceEntries(1)] });
    const actions = forms(html).map(({ action }) => action?.replace(/.*auth\//, ''));
    expect(actions).toEqual(['signin/github', 'callback/passkey', 'signin/resend', 'callback/credentials']);
    expect(forms(html)[2]?.buttons[0]?.attributes['id']).toBe('submitButton');
  });
});

describe('the email form', () => {
  const render1 = (data: Partial<SignInPageData> = {}) => forms(render({ providers: [emailEntry], ...data }))[0];

  it('posts an address to signinUrl', () => {
    expect(render1()?.action).toBe('https://app.example/auth/signin/resend');
    expect(Object.keys(render1()?.inputs ?? {})).toEqual(['csrfToken', 'callbackUrl', 'email']);
    expect(render1()?.inputs['email']).toMatchObject({
      id: 'input-email-for-resend-provider',
      type: 'email',
      placeholder: 'email@example.com',
      autocomplete: 'email',
      required: '',
      autofocus: '',
    });
    expect(render1()?.buttons[0]?.attributes).toMatchObject({ id: 'submitButton', type: 'submit', class: 'button' });
  });

  it('starts with the given address', () => {
    expect(render1({ email: '"a b"@example.com' })?.inputs['email']?.['value']).toBe('"a b"@example.com');
  });

  it('takes no focus from other ways to sign in', () => {
    expect(render({ providers: [...serviceEntries(1), emailEntry] })).not.toContain('autofocus');
  });

  it('is named by what the owner calls it, not by the mail service', () => {
    expect(render1()?.buttons[0]?.text).toBe('Sign in with email');
    expect(render1({ providers: [{ ...emailEntry, name: 'a magic link' }] })?.buttons[0]?.text).toBe(
      'Sign in with a magic link',
    );
  });
});

describe('the credentials form', () => {
  const form = (fields: CredentialsEntry['fields']) =>
    forms(render({ providers: [{ ...(credentialsEntry as CredentialsEntry), fields }] }))[0];

  it('posts the configured fields to callbackUrl', () => {
    const [sent] = forms(render({ providers: [credentialsEntry] }));
    expect(sent?.action).toBe('https://app.example/auth/callback/credentials');
    expect(Object.keys(sent?.inputs ?? {})).toEqual(['csrfToken', 'callbackUrl', 'username', 'password', 'remember']);
    expect(sent?.inputs['username']).toMatchObject({
      id: 'input-username-for-credentials-provider',
      type: 'text',
      placeholder: 'jsmith',
      required: '',
      autocomplete: 'username',
    });
    expect(sent?.inputs['password']).toMatchObject({ type: 'password', autocomplete: 'current-password' });
    expect(sent?.buttons[0]).toMatchObject({ attributes: { id: 'submitButton' }, text: 'Sign in with Credentials' });
  });

  it('labels each input', () => {
    const page = render({ providers: [credentialsEntry] });
    const labels = tags(page).filter((tag) => tag.name === 'label');
    const inputs = tags(page).filter((tag) => tag.name === 'input' && tag.attributes['type'] !== 'hidden');
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
});

describe('the page', () => {
  it('orders services, email, credentials, with "or" between', () => {
    const page = render({ providers: [credentialsEntry, emailEntry, ...serviceEntries(2)] });
    expect(forms(page).map((form) => form.action?.split('/auth/')[1])).toEqual([
      'signin/github',
      'signin/google',
      'signin/resend',
      'callback/credentials',
    ]);
    expect(page.match(/<p class="or">or<\/p>/g)).toHaveLength(2);
    expect(render({ providers: serviceEntries(2) })).not.toContain('class="or"');
  });

  it('becomes a grid with a short cut when there are many services', () => {
    const page = render({ providers: [...serviceEntries(7), emailEntry] });
    expect(page).toContain('<div class="providers many">');
    expect(page).toContain('<a href="#other-ways">Use email instead</a>');
    expect(render({ providers: [...serviceEntries(6), emailEntry] })).not.toContain('many"');
  });

  it('says so when there is no way to sign in', () => {
    expect(render({})).toContain('There is no way to sign in yet');
    expect(forms(render({}))).toEqual([]);
  });

  it('heads forms of the same kind with their names', () => {
    const second = { ...credentialsEntry, id: 'ldap', name: 'LDAP' };
    expect(render({ providers: [credentialsEntry, second] })).toContain('<h2 class="section-header">LDAP</h2>');
    expect(forms(render({ providers: [credentialsEntry, second] }))[1]?.buttons[0]?.attributes['id']).toBe(
      'submitButton-ldap',
    );
    expect(render({ providers: [credentialsEntry, emailEntry] })).not.toContain('<h2');
  });

  it('leads nowhere but to web addresses', () => {
    const [form] = forms(
      render({ providers: [{ ...emailEntry, signinUrl: 'java\nscript:alert(1)' } as typeof emailEntry] }),
    );
    expect(form?.action).toBe('/');
  });
});

describe('the error box', () => {
  const general = 'You could not be signed in. Please try again.';

  it.each([
    ['Signin', 'could not be started'],
    ['OAuthSignin', 'could not be reached'],
    ['OAuthCallbackError', 'canceled or refused'],
    ['OAuthCreateAccount', 'could not be created'],
    ['EmailCreateAccount', 'could not be created'],
    ['Callback', 'could not be completed'],
    ['OAuthAccountNotLinked', 'the same way as the first time'],
    ['AccountNotLinked', 'a different account'],
    ['EmailSignin', 'email could not be sent'],
    ['CredentialsSignin', 'details are not correct'],
    ['SessionRequired', 'Sign in to see that page'],
    ['WebAuthnVerificationError', 'passkey'],
    ['InvalidCheck', 'took too long, or was started in another tab'],
    ['MissingCSRF', 'open for too long'],
    ['InvalidProvider', 'not available'],
  ])('%s has a text of its own', (error, text) => {
    expect(alertOf(render({ error }))).toContain(text);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'get', 'signin', 'Nonsense', '<script>'])(
    '%s gets the general text',
    (error) => {
      expect(alertOf(render({ error }))).toBe(`<p>${general}</p>`);
    },
  );

  it('is absent without an error', () => {
    expect(alertOf(render({}))).toBeUndefined();
    expect(alertOf(render({ error: '' }))).toBeUndefined();
  });

  it('shows a code that the application chose, and no sentences', () => {
    expect(alertOf(render({ error: 'CredentialsSignin', code: 'locked-out' }))).toContain('<p>Code: locked-out</p>');
    for (const code of ['credentials', 'Call +1 900 555 now', '<b>', 'x'.repeat(41)]) {
      expect(alertOf(render({ error: 'CredentialsSignin', code }))).not.toContain('Code');
    }
    expect(alertOf(render({ error: 'Callback', code: 'locked-out' }))).not.toContain('Code');
  });
});
