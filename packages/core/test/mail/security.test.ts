import { describe, expect, it } from 'vitest';
import { type SecurityNotice, securityMail } from '../../src/mail/security.ts';
import english from '../../src/messages/en.ts';
import { payloads } from '../views/hostile.ts';

const link = { url: 'https://app.example/auth/account/undo?statement=a.b', seconds: 259_200, secret: 'a.b' };
const asked = { at: new Date('2026-11-23T21:05:59Z'), browser: 'Firefox', system: 'Linux' };
const WHEN = 'This happened on 23 November 2026 at 21:05 UTC (Firefox on Linux).';

function mailOf(notice: SecurityNotice): ReturnType<typeof securityMail> {
  const site = { origin: 'https://app.example', theme: {}, language: english };
  return securityMail({ to: 'ada@example.com', ...site, asked, notice });
}

const changed: SecurityNotice = { kind: 'addressChanged', from: 'ada@example.com', to: 'eve@example.com', link };
const google = { isPasskey: false, provider: 'Google', address: 'ada@gmail.example' };

describe('a mail about an account', () => {
  it.each<[SecurityNotice, subject: string, words: readonly string[]]>([
    [
      { kind: 'confirmAddress', code: '01234567', link: { ...link, seconds: 3600 } },
      'Confirm your new address for app.example',
      ['Your code: 0123 4567', 'Code and link work once, for 60\u00A0minutes.', link.url],
    ],
    [{ kind: 'addressTaken' }, 'You already have an account at app.example', ['nothing has changed', WHEN]],
    [
      changed,
      'Your address at app.example was changed',
      [
        `was changed from ada@example.com to eve@example.com. ${WHEN}`,
        'The link works once, for 3\u00A0days.',
        link.url,
      ],
    ],
    [
      { kind: 'wayAdded', way: google, link },
      'A way to sign in was added at app.example',
      ['Your account at Google (ada@gmail.example) can now sign in', link.url],
    ],
    [
      { kind: 'wayRemoved', way: { ...google, address: undefined } },
      'A way to sign in was removed at app.example',
      ['Your account at Google can no longer sign in'],
    ],
    [
      { kind: 'wayAdded', way: { isPasskey: true, provider: 'Passkey' }, link: undefined },
      'A way to sign in was added at app.example',
      ['A passkey can now sign in'],
    ],
    [{ kind: 'sessionsEnded' }, 'All sessions at app.example were ended', [WHEN]],
    [{ kind: 'accountDeleted' }, 'Your account at app.example was deleted', [WHEN]],
  ])('says the same as text and as HTML: %o', (notice, subject, words) => {
    const mail = mailOf(notice);
    expect(mail).toMatchObject({ to: 'ada@example.com', subject });
    for (const part of words) {
      expect(mail.text).toContain(part);
      expect(mail.html.replace(/<\/?bdi>/g, '')).toContain(part.replaceAll('&', '&amp;'));
    }
    for (const content of [mail.text, mail.html]) expect(content).not.toMatch(/\{\w+\}|undefined/);
  });

  it('names the site by the name of the application in one line, else by its host', () => {
    const site = { to: 'ada@example.com', origin: 'https://app.example', language: english, asked };
    const subjectOf = (name?: string): string =>
      securityMail({ ...site, theme: { name }, notice: { kind: 'addressTaken' } }).subject;
    expect(subjectOf(' Acme\r\nBcc: x ')).toBe('You already have an account at Acme Bcc: x');
    expect(subjectOf(' \n')).toBe('You already have an account at app.example');
    expect(subjectOf()).toBe('You already have an account at app.example');
  });

  it('keeps addresses apart from the text around them', () => {
    expect(mailOf(changed).html).toContain('from <bdi>ada@example.com</bdi> to <bdi>eve@example.com</bdi>');
  });

  it('has neither a button nor a word about a link without a link', () => {
    const { text, html } = mailOf({ ...changed, link: undefined });
    expect(html).not.toMatch(/class="button"/);
    expect(text).not.toContain('undo');
  });

  it('lists what must not be logged', () => {
    expect(mailOf({ kind: 'confirmAddress', code: '01234567', link }).secrets).toEqual([
      'a.b',
      '01234567',
      '0123 4567',
    ]);
    expect(mailOf({ kind: 'sessionsEnded' }).secrets).toEqual([]);
  });

  it.each(payloads)('escapes values: %j', (payload) => {
    const plain = mailOf({ kind: 'wayAdded', way: { isPasskey: false, provider: 'P', address: 'A' }, link }).html;
    const { html } = mailOf({ kind: 'wayAdded', way: { isPasskey: false, provider: payload, address: payload }, link });
    expect(html.split('<').length).toBe(plain.split('<').length);
    expect(html.split('"').length).toBe(plain.split('"').length);
  });
});
