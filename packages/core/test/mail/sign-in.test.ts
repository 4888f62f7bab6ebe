import { describe, expect, it } from 'vitest';
import { mailFor, signInMail } from '../../src/mail/sign-in.ts';
import { timeInWords } from '../../src/views/time.ts';
import { payloads } from '../views/hostile.ts';

const url =
  'https://app.example:8443/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.example%2Fin&token=abc&email=ada%40example.com';
const escaped = url.replaceAll('&', '&amp;');

describe('the sign-in mail with a code', () => {
  const asked = { at: new Date('2026-11-23T21:05:59Z'), browser: 'Firefox', system: 'Linux' };
  const mail = signInMail({ url, theme: {}, maxAge: 900, code: '01234567', asked });

  it('shows the code above the button, in two groups', () => {
    expect(mail.html.indexOf('0123 4567</div>')).toBeGreaterThan(0);
    expect(mail.html.indexOf('0123 4567</div>')).toBeLessThan(mail.html.indexOf('<a class="button"'));
    expect(mail.text.indexOf('Your code: 0123 4567')).toBeLessThan(mail.text.indexOf(url));
    for (const form of [mail.text, mail.html]) expect(form).toContain('Code and link work once, for 15\u00A0minutes.');
  });

  it('names the site, the time and the browser', () => {
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain('app.example:8443');
      expect(form).toMatch(/requested on 23 November 2026 at 21:05 UTC in Firefox on Linux\./);
    }
    const unknown = signInMail({ url, theme: {}, asked: { at: asked.at } });
    for (const form of [unknown.text, unknown.html]) expect(form).toContain('21:05 UTC. If you did not request');
  });

  it('says for which provider it confirms the address, and does not say that it signs in', () => {
    const verifies = { provider: 'acme', name: 'Acme <b>' };
    const order = { url, theme: {}, code: '01234567', asked, verifies, provider: { maxAge: 900, confirm: true } };
    const { subject, text, html } = mailFor(order);
    expect(subject).toBe('Confirm your address for app.example:8443');
    expect(text).toContain('A sign-in to app.example:8443 with Acme <b> named this address.');
    expect(html).toContain('with Acme &lt;b&gt; named this address.');
    expect(text).toContain(`open this address to confirm it:\n\n${url}`);
    expect(html).toMatch(/<a class="button"[^>]*>Confirm</);
    expect(html).not.toContain('Sign in');
  });

  it('says how long it is valid from the time of the request', () => {
    const expires = new Date(asked.at.getTime() + 480_000);
    const order = { url, theme: {}, code: '01234567', asked, expires, provider: { maxAge: 900, confirm: true } };
    expect(mailFor(order).text).toContain('for 8\u00A0minutes.');
    expect(mailFor(order).text).toContain('Firefox');
    expect(mailFor({ ...order, provider: { maxAge: 900 } }).text).not.toContain('Firefox');
  });
});

describe('the sign-in mail', () => {
  const mail = signInMail({ url, theme: {}, maxAge: 86_400 });

  it('names the host in subject, text and HTML', () => {
    expect(mail.subject).toBe('Sign in to app.example:8443');
    expect(mail.text).toMatch(/^Sign in to app\.example:8443\n/);
    expect(mail.html).toContain('<title>Sign in to app.example:8443</title>');
  });

  it('holds the link as button and as text', () => {
    expect(mail.text.split('\n')).toContain(url);
    expect(mail.html.split(`href="${escaped}"`)).toHaveLength(3);
    expect(mail.html).toContain(`>${escaped}</a>`);
  });

  it('says for how long, where that is known', () => {
    for (const form of [mail.text, mail.html]) expect(form).toContain('The link works once, for 24\u00A0hours.');
    const unknown = signInMail({ url, theme: {} });
    for (const form of [unknown.text, unknown.html]) expect(form).toContain('The link works once.');
  });

  it('tells a recipient who did not request it to ignore it', () => {
    for (const form of [mail.text, mail.html]) expect(form).toContain('If you did not request this email, ignore it');
  });

  it('loads nothing and runs nothing', () => {
    expect(mail.html).not.toMatch(
      /<(img|link|script|iframe|form|object|embed|svg|base)\b|url\(|@import|\bsrc=|\bon\w+=/i,
    );
  });

  it('follows the color scheme of the reader, unless the theme sets one', () => {
    const scheme = (html: string): string[] =>
      [...html.matchAll(/<meta name="[\w-]*color-schemes?" content="([^"]*)"/g)].map(([, content = '']) => content);
    expect(scheme(mail.html)).toEqual(['light dark', 'light dark']);
    expect(mail.html).toContain('@media (prefers-color-scheme:dark)');
    const light = signInMail({ url, theme: { colorScheme: 'light' } }).html;
    expect(scheme(light)).toEqual(['light', 'light']);
    expect(light).not.toContain('prefers-color-scheme');
    const dark = signInMail({ url, theme: { colorScheme: 'dark' } }).html;
    expect(scheme(dark)).toEqual(['dark', 'dark']);
    expect(dark).not.toContain('prefers-color-scheme');
    expect(dark).toContain('background-color:#17191e');
  });

  it('shows the button in the configured colors, with readable text', () => {
    const button = (theme: object): (string | undefined)[] =>
      /<a class="button"[^>]*background-color:(#[\da-f]{6});color:(#[\da-f]{6})/
        .exec(signInMail({ url, theme }).html)
        ?.slice(1) ?? [];
    expect(button({})).toEqual(['#1b1e25', '#ffffff']);
    expect(button({ brandColor: '#ffd700' })).toEqual(['#ffd700', '#000000']);
    expect(button({ brandColor: '#346df1', buttonText: 'white' })).toEqual(['#346df1', '#ffffff']);
    expect(button({ brandColor: 'rgb(255 0 0)', buttonText: '#ff0' })).toEqual(['#ff0000', '#ffff00']);
    expect(button({ brandColor: 'red;} body{display:none' })).toEqual(['#1b1e25', '#ffffff']);
  });

  it.each(payloads)('keeps %j out of the page', (payload) => {
    const theme = { brandColor: payload, buttonText: payload, colorScheme: payload as 'auto', logo: payload };
    const params = new URLSearchParams({ callbackUrl: payload, token: payload, email: payload });
    const { html, subject } = signInMail({ url: `https://app.example/auth/callback/mail?${params}`, theme });
    const blank = signInMail({ url: 'https://app.example/auth/callback/mail?', theme: {} }).html;
    const tags = (text: string): string[] => text.match(/<\/?[a-z][\w-]*/gi) ?? [];
    expect(tags(html)).toEqual(tags(blank));
    expect(subject).toBe('Sign in to app.example');
  });

  it('escapes a URL that is not encoded', () => {
    const raw = 'https://app.example/?a="><xss>&b=\'';
    expect(signInMail({ url: raw, theme: {} }).html).not.toContain('<xss>');
  });

  it('is small enough not to be cut off', () => {
    expect(mail.html.length).toBeLessThan(16_000);
  });
});

describe('timeInWords', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [1.9, '1 second'],
    [60, '60 seconds'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [600, '10 minutes'],
    [3600, '60 minutes'],
    [5400, '90 minutes'],
    [9000, '2 hours'],
    [86_400, '24 hours'],
    [172_799, '47 hours'],
    [172_800, '2 days'],
    [2_592_000, '30 days'],
  ])('%d s are %s', (seconds, words) => expect(timeInWords(seconds)).toBe(words.replace(' ', '\u00A0')));
});
