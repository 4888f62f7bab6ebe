import { describe, expect, it } from 'vitest';
import { type SecurityNotice, securityMail } from '../../src/mail/security.ts';
import { type SignInMail, signInMail } from '../../src/mail/sign-in.ts';
import english, { type Language } from '../../src/messages/en.ts';
import { dateTime, duration, fill } from '../../src/views/text.ts';
import { changesSite, useMailbox } from '../account/changes-scene.ts';
import { languages } from '../messages/all.ts';

const ORIGIN = 'https://app.example:8443';
const URL_OF_MAIL = `${ORIGIN}/auth/account/undo?statement=a.b&x=y`;
const asked = { at: new Date('2026-11-23T21:05:59Z'), browser: 'Firefox', system: 'Linux' };
const theme = { name: 'Acme', logo: '/logo.png' };
const link = { url: URL_OF_MAIL, seconds: 259_200, secret: 'a.b' };
const way = { isPasskey: false, provider: 'Google', address: 'ada@gmail.example' };
const code = '01234567';

/** The parts of a mail that must be in its text and in its HTML, besides those of its language. */
type Case = readonly [name: string, make: (language: Language) => SignInMail, parts: readonly string[]];

const notice = (given: SecurityNotice, ...parts: string[]): Case => [
  'way' in given ? `${given.kind}${given.way.isPasskey ? ', passkey' : ''}` : given.kind,
  (language) => securityMail({ to: 'ada@example.com', origin: ORIGIN, theme, language, asked, notice: given }),
  parts,
];
const signIn = (name: string, own: object, ...parts: string[]): Case => [
  name,
  (language) => signInMail({ url: URL_OF_MAIL, theme, maxAge: 900, asked, language, ...own }),
  [URL_OF_MAIL, ...parts],
];

const cases: readonly Case[] = [
  notice({ kind: 'confirmAddress', code, link }, '0123 4567', URL_OF_MAIL),
  notice({ kind: 'addressTaken' }),
  notice(
    { kind: 'addressChanged', from: 'old@example.com', to: 'new@example.com', link },
    'old@example.com',
    'new@example.com',
    URL_OF_MAIL,
  ),
  notice({ kind: 'wayAdded', way, link }, 'Google', 'ada@gmail.example', URL_OF_MAIL),
  notice({ kind: 'wayAdded', way: { isPasskey: true, provider: 'Passkey' }, link: undefined }),
  notice({ kind: 'wayRemoved', way: { ...way, address: undefined } }, 'Google'),
  notice({ kind: 'sessionsEnded' }),
  notice({ kind: 'accountDeleted' }),
  signIn('a link', {}),
  signIn('a link and a code', { code }, '0123 4567', 'app.example:8443'),
  signIn(
    'a code that confirms an address',
    { code, verifies: { provider: 'google', name: 'Google' } },
    '0123 4567',
    'Google',
  ),
];

/** The text of an HTML mail, without elements. */
function textOf(html: string): string {
  return html
    .replace(/<style>[^<]*<\/style>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}

describe.each(languages)('a mail in the language %s', (file, language) => {
  it.each(cases)('is complete: %s', (_, make, parts) => {
    const { subject, text, html } = make(language);
    expect(html).toContain(`<html lang="${file}" dir="${language.dir}">`);
    expect(html).toContain(`<title>${subject}</title>`.replaceAll("'", '&#39;'));
    expect(html).toContain(`<img src="${ORIGIN}/logo.png" alt="Acme"`);
    expect([text.startsWith(`${subject}\n\n`), subject.includes('Acme'), subject.includes('app.example')]).toEqual([
      true,
      true,
      false,
    ]);
    for (const part of parts)
      expect([text.includes(part), textOf(html).includes(part), part]).toEqual([true, true, part]);
    for (const form of [subject, text, textOf(html)]) expect(form).not.toMatch(/\{|\}|undefined|\bnull\b|NaN|\[object/);
    if (file !== 'en') expect(subject).not.toBe(make(english).subject);
  });

  it('says when and where it was caused, and how long its link is valid', () => {
    const { text } = securityMail({
      ...{ to: 'ada@example.com', origin: ORIGIN, theme, language, asked },
      notice: { kind: 'addressChanged', from: 'old@example.com', to: 'new@example.com', link },
    });
    const agent = fill(language.texts.common.agent, { browser: 'Firefox', system: 'Linux' });
    expect(text).toContain(fill(language.texts.notice.whenBy, { date: dateTime(language, asked.at), agent }));
    expect(text).toContain(duration(language, 259_200));
  });
});

describe('a mail server', () => {
  const mail = useMailbox();

  it('gets each subject, sender and text in its language', async () => {
    let chosen = 'en';
    const all = languages.map(([, language]) => language).filter(({ code: name }) => name !== 'en');
    const config = {
      locale: { languages: all, choose: () => chosen },
      rateLimit: false,
      theme: { name: 'Açme "Ltd"' },
    } as const;
    const app = changesSite('database', mail, { config });
    await app.signIn();
    for (const [file, { texts }] of languages) {
      chosen = file;
      const to = `${file.toLowerCase()}@new.example`;
      await app.post('account/email', { email: to });
      const got = await mail.box.waitFor(to);
      const site = { site: 'Açme "Ltd"' };
      expect(got.subject).toBe(fill(texts.confirmAddressMail.subject, site));
      expect(got.text).toContain(fill(texts.confirmAddressMail.body, site));
      expect(got.headers.get('from')).toContain('<accounts@example.com>');
    }
  });
});
