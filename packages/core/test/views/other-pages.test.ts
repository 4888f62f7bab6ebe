import { describe, expect, it } from 'vitest';
import english from '../../src/messages/en.ts';
import type { SessionInfo } from '../../src/types/session-records.ts';
import { confirmEmailPage } from '../../src/views/confirm-email.ts';
import { type ErrorPageData, errorPage } from '../../src/views/error.ts';
import { sessionsPage } from '../../src/views/sessions.ts';
import { signOutPage } from '../../src/views/sign-out.ts';
import { type VerifyRequestPageData, verifyRequestPage } from '../../src/views/verify-request.ts';
import { forms } from './outline.ts';

const origin = 'https://app.example:8443';
const signInUrl = `${origin}/auth/signin`;

describe('signOutPage', () => {
  const data = {
    theme: {},
    csrfToken: 'token|hash',
    signOutUrl: `${origin}/auth/signout`,
    callbackUrl: `${origin}/inbox`,
  };

  it('asks before it posts the token', () => {
    const page = signOutPage(data).html;
    const [form] = forms(page);
    expect(form).toMatchObject({ action: data.signOutUrl, method: 'POST' });
    expect(form?.inputs['csrfToken']).toMatchObject({ type: 'hidden', value: 'token|hash' });
    expect(form?.inputs['callbackUrl']).toMatchObject({ type: 'hidden', value: data.callbackUrl });
    expect(form?.buttons).toMatchObject([{ attributes: { id: 'submitButton', type: 'submit' }, text: 'Sign out' }]);
    expect(page).toContain('Are you sure you want to sign out?');
  });

  it('offers a way back', () => {
    expect(signOutPage(data).html).toContain(`href="${origin}/inbox">Stay signed in</a>`);
    expect(signOutPage({ theme: {}, signOutUrl: '/auth/signout' }).html).toContain('href="/">Stay signed in</a>');
    expect(signOutPage({ ...data, callbackUrl: 'javascript:alert(1)' }).html).toContain('href="/">Stay signed in</a>');
  });

  it('sends no fields that it was not given', () => {
    expect(forms(signOutPage({ theme: {}, signOutUrl: '/auth/signout' }).html)[0]?.inputs).toEqual({});
  });

  it('offers to end all sessions if it is given the address', () => {
    const [, form, ...others] = forms(signOutPage({ ...data, sessionsUrl: `${origin}/auth/sessions` }).html);
    expect([others, forms(signOutPage(data).html)]).toMatchObject([[], { length: 1 }]);
    expect(form).toMatchObject({ action: `${origin}/auth/sessions`, method: 'POST' });
    const values = Object.entries(form?.inputs ?? {}).map(([name, { value }]) => [name, value]);
    expect(values).toEqual([
      ['csrfToken', 'token|hash'],
      ['callbackUrl', data.callbackUrl],
      ['end', 'all'],
    ]);
    expect(form?.buttons).toMatchObject([{ text: 'Sign out on all devices' }]);
  });
});

describe('sessionsPage', () => {
  const now = new Date(1_000_000_000);
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const session = { current: false, startedAt: ago(100_000), seenAt: ago(7200), expires: now };
  const render = (...sessions: Partial<SessionInfo>[]) =>
    sessionsPage({
      theme: {},
      origin,
      csrfToken: 'token',
      sessionsUrl: `${origin}/auth/sessions`,
      sessions: sessions.map((own, index) => ({ id: `id-${index}`, ...session, ...own })),
      methods: new Map([['github', 'GitHub']]),
      now,
    }).html;

  it('describes each session, with the one of this device first', () => {
    const page = render(
      { label: 'Safari on iOS', provider: 'github', network: '192.0.2.0/24' },
      { provider: 'removed' },
      { current: true, label: 'Firefox on Linux', seenAt: ago(119), startedAt: ago(-5) },
    );
    const texts = [...page.matchAll(/<h2>(.*?)<\/h2>\n<p>(.*?)<\/p>\n<p>(.*?)<\/p>/g)].map(([, ...text]) => text);
    const lastUsed = 'Last used 2\u00A0hours ago';
    expect(texts).toEqual([
      ['Firefox on Linux <span class="badge">This device</span>', 'Signed in just now', 'Last used just now'],
      ['Safari on iOS', 'Signed in 27\u00A0hours ago with GitHub, from 192.0.2.0/24', lastUsed],
      ['Unknown device', 'Signed in 27\u00A0hours ago', lastUsed],
    ]);
  });

  it('has a form for each other session, and for several', () => {
    const found = forms(render({ label: 'Safari' }, { current: true })).map(({ action, method, inputs, buttons }) => [
      ...[action, method, inputs['csrfToken']?.value, inputs['end']?.value],
      buttons.map(({ text, attributes }) => attributes['aria-label'] ?? text),
    ]);
    const post = [`${origin}/auth/sessions`, 'POST', 'token'];
    expect(found).toEqual([
      [...post, 'id-0', ['Sign out: Safari']],
      [...post, 'others', ['Sign out on all other devices']],
      [...post, 'all', ['Sign out on all devices']],
    ]);
    expect(forms(render({ current: true })).map(({ inputs }) => inputs['end']?.value)).toEqual(['all']);
  });
});

describe('verifyRequestPage', () => {
  it('tells to look at the mail, and leads back to the site', () => {
    const page = verifyRequestPage({ theme: {}, origin, signInUrl }).html;
    expect(page).toContain('<h1>Check your email</h1>');
    expect(page).toContain(`href="${origin}">app.example:8443</a>`);
    expect(verifyRequestPage({ theme: {}, origin, signInUrl }).html).toContain('<main class="verify-request">');
  });

  const codeUrl = `${origin}/auth/code/mail`;
  const mail = { address: 'ada@example.com', codeUrl, resendUrl: `${origin}/auth/signin/mail`, secondsToWait: 0 };
  const withoutCode = { ...mail, codeUrl: undefined };
  const arrives = 'It may take a minute until the email arrives. If it does not, check your spam folder.';
  const mistyped =
    'The code is no longer valid. It was mistyped too often, or the email has been used. Request a new email to ada@example.com.';
  const stranger =
    'This browser does not wait for a code any more. The email has been used or has expired, or another browser requested it.';

  it.each<[string, Partial<VerifyRequestPageData>, string[]]>([
    [
      'no mail that the browser knows',
      {},
      [
        'Check your email',
        'A sign-in link has been sent to your email address. It may take a minute to arrive. If it does not, check your spam folder.',
        'app.example:8443',
      ],
    ],
    ['a code, in another browser', { hadCode: true }, ['Request a new email', stranger, 'Sign in', 'app.example:8443']],
    [
      'a refused code, in another browser',
      { hasError: true },
      ['Request a new email', `! ${stranger}`, 'Sign in', 'app.example:8443'],
    ],
    [
      'a link and a code',
      { mail, hadCode: true },
      [
        'Check your email',
        `A link and a code have been sent to ada@example.com. ${arrives}`,
        ...['Code from the email', '[Sign in]', '[Send again] quiet', 'Use another address', 'app.example:8443'],
      ],
    ],
    [
      'a code that confirms the address, which can be sent again soon',
      { mail: { ...mail, verifies: 'Acme', secondsToWait: 1 } },
      [
        'Check your email',
        `To continue with Acme, confirm your email address. A link and a code have been sent to ada@example.com. ${arrives}`,
        ...['Code from the email', '[Confirm]', 'The email can be sent again in 1\u00A0second.', '[Send again] quiet'],
        ...['Use another address', 'app.example:8443'],
      ],
    ],
    [
      'a wrong code',
      { mail, hasError: true },
      [
        'Check your email',
        '! This is not the code in the newest email to ada@example.com. Check it, and try again.',
        ...['Code from the email', '[Sign in]', '[Send again] quiet', 'Use another address', 'app.example:8443'],
      ],
    ],
    [
      'a link without a code',
      { mail: withoutCode },
      [
        'Check your email',
        `A sign-in link has been sent to ada@example.com. ${arrives}`,
        ...['[Send again] quiet', 'Use another address', 'app.example:8443'],
      ],
    ],
    [
      'a wrong code for a link without a code',
      { mail: withoutCode, hasError: true },
      ['Request a new email', `! ${mistyped}`, '[Send again]', 'Use another address', 'app.example:8443'],
    ],
    [
      'the last wrong code',
      { mail: { ...withoutCode, isOver: true } },
      ['Request a new email', `! ${mistyped}`, '[Send again]', 'Use another address', 'app.example:8443'],
    ],
  ])('says what to do after %s', (_, data, expected) => {
    expect(words(verifyRequestPage({ theme: {}, origin, signInUrl, csrfToken: 'csrf', ...data }).html)).toEqual(
      expected,
    );
  });
});

/** The visible texts of a page in order. Alerts begin with `!`, buttons are in brackets, and quiet ones are marked. */
function words(page: string): string[] {
  const visible = /<(h1|p|label|button|a class="button")([^>]*)>([\s\S]*?)<\/(?:h1|p|label|button|a)>/g;
  return [...page.matchAll(visible)].map(([, name, attributes = '', content = '']) => {
    const text = content.replace(/<[^>]*>/g, '').trim();
    if (name === 'button') return `[${text}]${attributes.includes('quiet') ? ' quiet' : ''}`;
    return `${attributes.includes('role="alert"') ? '! ' : ''}${text}`;
  });
}

describe('confirmEmailPage', () => {
  const data = {
    theme: {},
    csrfToken: 'csrf',
    callbackUrl: `${origin}/inbox`,
    token: 'mailed',
    email: 'ada@example.com',
    now: new Date(0),
    hasCode: false,
    isAsker: false,
    action: `${origin}/auth/callback/email`,
  };

  it('names the address, and posts what the link carries', () => {
    const page = confirmEmailPage(data).html;
    expect(page).toContain('<strong>ada@example.com</strong>');
    const [form, ...others] = forms(page);
    expect(others).toEqual([]);
    expect(form).toMatchObject({ action: data.action, method: 'POST' });
    const values = Object.entries(form?.inputs ?? {}).map(([name, { type, value }]) => [name, type, value]);
    expect(values).toEqual([
      ['csrfToken', 'hidden', 'csrf'],
      ['callbackUrl', 'hidden', data.callbackUrl],
      ['token', 'hidden', 'mailed'],
      ['email', 'hidden', 'ada@example.com'],
    ]);
    expect(form?.buttons).toMatchObject([{ attributes: { type: 'submit' }, text: 'Sign in' }]);
  });

  const verifies = { provider: 'acme', name: 'Acme' };

  it('has a title, and the id of the provider for which it confirms the address', () => {
    expect(forms(confirmEmailPage({ ...data, verifies }).html)[0]?.inputs['verifies']).toMatchObject({ value: 'acme' });
    expect(confirmEmailPage(data).html).toContain('<title>Sign In</title>');
    expect(confirmEmailPage(data).html).toContain('<main class="verify-request">');
  });

  const close = 'If you did not ask for this, close the page.';
  it.each<[string, object, string[]]>([
    ['a link', {}, ['One more click, and you are signed in as ada@example.com.', close, '[Sign in]']],
    [
      'a link without the address',
      { email: undefined },
      ['One more click, and you are signed in.', close, '[Sign in]'],
    ],
    [
      'a link with a code, in the session of another user',
      { hasCode: true, isAsker: true, signedInAs: 'Bob' },
      [
        'One more click, and you are signed in as ada@example.com.',
        'You are signed in as Bob. That session ends.',
        close,
        'To sign in on another device, type the code from the email there.',
        '[Sign in]',
      ],
    ],
    [
      'a link that confirms the address, in the browser that requested it',
      { hasCode: true, isAsker: true, verifies, asked: { at: new Date(-120_000), browser: 'Firefox' } },
      [
        'One more click confirms ada@example.com, and you continue with Acme.',
        'Requested 2\u00A0minutes ago in Firefox.',
        close,
        'To sign in on another device, type the code from the email there.',
        '[Confirm]',
      ],
    ],
    [
      'a link that confirms the address, in another browser',
      { hasCode: true, verifies, asked: { at: new Date(120_000) } },
      [
        'One more click, and you are signed in as ada@example.com in this browser, without Acme.',
        'Requested 0\u00A0seconds ago.',
        close,
        'To continue with Acme, type the code from the email in the browser where you started. Do this only if you started it.',
        '[Sign in]',
      ],
    ],
  ])('says what the button of %s does', (_, more, expected) => {
    expect(words(confirmEmailPage({ ...data, ...more }).html)).toEqual(['Almost there', ...expected]);
  });

  it('does not contain a CSRF token if the framework checks the origin', () => {
    const { csrfToken: _, ...rest } = data;
    expect(forms(confirmEmailPage(rest).html)[0]?.inputs).not.toHaveProperty('csrfToken');
  });
});

describe('errorPage', () => {
  const render = (data: Partial<ErrorPageData>) =>
    errorPage({ theme: {}, language: english, signInUrl, origin, ...data });

  it.each([
    ['Configuration', 500, 'Sign-in does not work right now', 'see the server log'],
    ['AccessDenied', 403, 'You do not have access', 'not allowed'],
    ['Verification', 403, 'This link has expired or was used', 'Request a new link'],
    ['AccountChanged', 403, 'Your sign-in could not be completed', 'choose the account with which you started'],
    ['RateLimited', 429, 'Too many attempts', 'in a few minutes'],
    ['Default', 200, 'Something went wrong', 'try again'],
    [undefined, 200, 'Something went wrong', 'try again'],
    ['__proto__', 200, 'Something went wrong', 'try again'],
    ['constructor', 200, 'Something went wrong', 'try again'],
  ])('%s is answered with %i', (error, status, heading, text) => {
    const answer = render({ error });
    expect(answer.status).toBe(status);
    expect(answer.page.html).toContain(`<h1>${heading}</h1>`);
    expect(answer.page.html).toContain(text);
  });

  it('offers what can help: signing in again, or the site', () => {
    for (const [error, text] of [
      ['AccessDenied', 'Use a different account'],
      ['Verification', 'Send a new link'],
      ['AccountChanged', 'Sign in'],
    ]) {
      expect(render({ error }).page.html).toContain(`<a class="button" href="${signInUrl}">${text}</a>`);
    }
    for (const error of ['Configuration', undefined]) {
      expect(render({ error }).page.html).toContain(`href="${origin}">app.example:8443</a>`);
    }
  });

  it('shows a reference and details only when they are given', () => {
    const plain = render({ error: 'Configuration' }).page.html;
    expect(plain).not.toContain('class="reference"');
    expect(plain).not.toContain('class="problems"');
    const details = [
      { type: 'MissingSecret', message: 'No <secret>.', remedy: 'Set `AUTH_SECRET`.' },
      { type: 'Other', message: 'M' },
    ];
    const full = render({ error: 'Configuration', reference: 'k3f9', details }).page.html;
    expect(full).toContain('mention <code>k3f9</code>.');
    expect(full).toContain(
      '<h2>MissingSecret</h2><p>No &lt;secret&gt;.</p><p class="remedy">Set <code>AUTH_SECRET</code>.</p>',
    );
    expect(full).toContain('<li><h2>Other</h2><p>M</p></li>');
  });
});
