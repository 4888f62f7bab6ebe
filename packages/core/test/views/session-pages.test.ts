import { describe, expect, it } from 'vitest';
import english from '../../src/messages/en.ts';
import type { SessionInfo } from '../../src/types/session-records.ts';
import { sessionsPage } from '../../src/views/sessions.ts';
import { signOutPage } from '../../src/views/sign-out.ts';
import { forms } from './outline.ts';

const origin = 'https://app.example:8443';

describe('signOutPage', () => {
  const data = {
    theme: {},
    language: english,
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
    expect(page).toContain('<h1>Sign out?</h1>');
  });

  it('names the application and the user', () => {
    const page = signOutPage({ ...data, theme: { name: 'Acme' }, user: 'ada@example.com' }).html;
    expect(page).toContain('<title>Sign out of Acme? · Acme</title>');
    expect(page).toContain('<h1>Sign out of Acme?</h1>');
    expect(page).toContain('You are signed in as <strong><bdi>ada@example.com</bdi></strong>.');
    expect(signOutPage(data).html).not.toContain('signed in as');
  });

  it('offers a way back', () => {
    expect(signOutPage(data).html).toContain(`href="${origin}/inbox">Stay signed in</a>`);
    expect(signOutPage({ theme: {}, language: english, signOutUrl: '/auth/signout' }).html).toContain(
      'href="/">Stay signed in</a>',
    );
    expect(signOutPage({ ...data, callbackUrl: 'javascript:alert(1)' }).html).toContain('href="/">Stay signed in</a>');
  });

  it('sends no fields that it was not given', () => {
    expect(forms(signOutPage({ theme: {}, language: english, signOutUrl: '/auth/signout' }).html)[0]?.inputs).toEqual(
      {},
    );
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
      language: english,
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
      { network: '198.51.100.0/24', seenAt: ago(120) },
      { current: true, label: 'Firefox on Linux', seenAt: ago(119), startedAt: ago(-5) },
    );
    const texts = [...page.matchAll(/<h2>(.*?)<\/h2>\n<p>(.*?)<\/p>\n<p>(.*?)<\/p>/g)].map(([, ...text]) => text);
    const lastUsed = 'Last used 2\u00A0hours\u00A0ago';
    expect(texts).toEqual([
      ['Firefox on Linux <span class="badge">This device</span>', 'Signed in just now', 'Last used just now'],
      ['Safari on iOS', 'Signed in 27\u00A0hours\u00A0ago with GitHub, from 192.0.2.0/24', lastUsed],
      ['Unknown device', 'Signed in 27\u00A0hours\u00A0ago', lastUsed],
      ['Unknown device', 'Signed in 27\u00A0hours\u00A0ago, from 198.51.100.0/24', 'Last used 2\u00A0minutes\u00A0ago'],
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
