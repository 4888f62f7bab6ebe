import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../src/types/session-records.ts';
import { confirmEmailPage } from '../../src/views/confirm-email.ts';
import { type ErrorPageData, errorPage } from '../../src/views/error.ts';
import { sessionsPage } from '../../src/views/sessions.ts';
import { signOutPage } from '../../src/views/sign-out.ts';
import { verifyRequestPage } from '../../src/views/verify-request.ts';
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
  });
});

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

  it('does not contain a CSRF token if the framework checks the origin', () => {
    const { csrfToken: _, ...rest } = data;
    expect(forms(confirmEmailPage(rest).html)[0]?.inputs).not.toHaveProperty('csrfToken');
  });
});

describe('errorPage', () => {
  const render = (data: Partial<ErrorPageData>) => errorPage({ theme: {}, signInUrl, origin, ...data });

  it.each([
    ['Configuration', 500, 'Server error', 'problem with the server configuration'],
    ['AccessDenied', 403, 'Access denied', 'permission'],
    ['Verification', 403, 'Unable to sign in', 'no longer valid'],
    ['Default', 200, 'Error', 'Something went wrong'],
    [undefined, 200, 'Error', 'Something went wrong'],
    ['__proto__', 200, 'Error', 'Something went wrong'],
    ['constructor', 200, 'Error', 'Something went wrong'],
  ])('%s is answered with %i', (error, status, heading, text) => {
    const answer = render({ error });
    expect(answer.status).toBe(status);
    expect(answer.page.html).toContain(`<h1>${heading}</h1>`);
    expect(answer.page.html).toContain(text);
  });

  it('offers what can help: signing in again, or the site', () => {
    for (const error of ['AccessDenied', 'Verification']) {
      expect(render({ error }).page.html).toContain(`<a class="button" href="${signInUrl}">Sign in</a>`);
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
    expect(full).toContain('mention <code>k3f9</code>');
    expect(full).toContain(
      '<h2>MissingSecret</h2><p>No &lt;secret&gt;.</p><p class="remedy">Set <code>AUTH_SECRET</code>.</p>',
    );
    expect(full).toContain('<li><h2>Other</h2><p>M</p></li>');
  });
});
