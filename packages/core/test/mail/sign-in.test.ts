import { describe, expect, it } from 'vitest';
import { mailFor, signInMail } from '../../src/mail/sign-in.ts';
import english from '../../src/messages/en.ts';
import { styles } from '../../src/views/styles.ts';
import { duration } from '../../src/views/text.ts';
import { payloads } from '../views/hostile.ts';

const url =
  'https://app.example:8443/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.example%2Fin&token=abc&email=ada%40example.com';
const escaped = url.replaceAll('&', '&amp;');

const KEEP_BOTH = 'Do not share the code or the link, and type the code only on this site.';
const IGNORE_BOTH = 'If you did not request this email, ignore it. Without the code or the link, no one can sign in.';

/** The visible texts of a mail, in order. */
function words(mail: string): string[] {
  const parts = mail.replace(/<style>[^<]*<\/style>/g, '').split(/<\/?(?:title|td|div)\b[^>]*>/);
  return parts.map((part) => part.replace(/<[^>]*>/g, '').trim()).filter((text) => text !== '' && text !== '&nbsp;');
}

describe('the sign-in mail with a code', () => {
  const asked = { at: new Date('2026-11-23T21:05:59Z'), browser: 'Firefox', system: 'Linux' };
  const mail = signInMail({ url, theme: {}, maxAge: 900, code: '01234567', asked });

  it('says for which provider it confirms the address, and does not say that it signs in', () => {
    const verifies = { provider: 'acme', name: 'Acme <b>' };
    const confirmation = signInMail({ url, theme: {}, code: '01234567', verifies });
    const purpose =
      'A sign-in to app.example:8443 with Acme <b> named this address. The code confirms that the address is yours. After that, this Acme <b> account signs in as you.';
    const validity = 'Code and link work once.';
    expect(confirmation.subject).toBe('Confirm your address for app.example:8443');
    expect(confirmation.text).toBe(
      `Confirm your address for app.example:8443\n\n${purpose}\n\nYour code: 0123 4567\n\nType it on the page of app.example:8443 that asks for it. Or open this address:\n\n${url}\n\n${validity} ${KEEP_BOTH}\n\n${IGNORE_BOTH}\n`,
    );
    expect(words(confirmation.html)).toEqual([
      'Confirm your address for app.example:8443',
      `Your code: 0123 4567. ${validity}`,
      'Confirm your address for app.example:8443',
      purpose.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      'Type this code on the page that asks for it:',
      '0123 4567',
      `Or press the button. ${validity}`,
      ...['Confirm', 'If the button does nothing, open this address:', escaped],
      `${KEEP_BOTH} ${IGNORE_BOTH}`,
    ]);
  });

  it('says how to use it, as text and as HTML', () => {
    const validity = 'Code and link work once, for 15\u00A0minutes.';
    const requested = 'This email was requested on 23 November 2026 at 21:05 UTC (Firefox on Linux).';
    expect(mail.text).toBe(
      `Sign in to app.example:8443\n\nYour code: 0123 4567\n\nType it on the page of app.example:8443 that asks for it. Or open this address:\n\n${url}\n\n${validity} ${KEEP_BOTH}\n\n${requested} ${IGNORE_BOTH}\n`,
    );
    expect(words(mail.html)).toEqual([
      'Sign in to app.example:8443',
      `Your code: 0123 4567. ${validity}`,
      'Sign in to app.example:8443',
      'Type this code on the page that asks for it:',
      '0123 4567',
      `Or press the button. ${validity}`,
      ...['Sign in', 'If the button does nothing, open this address:', escaped],
      `${KEEP_BOTH} ${requested} ${IGNORE_BOTH}`,
    ]);
    expect(mail.html, 'rows without a text').not.toMatch(/<td[^>]*><\/td>/);
  });

  it('says how long it is valid from the time of the request', () => {
    const expires = new Date(asked.at.getTime() + 480_000);
    const order = { url, theme: {}, code: '01234567', asked, expires, provider: { maxAge: 900, confirm: true } };
    expect(mailFor(order).text).toContain('for 8\u00A0minutes.');
    expect(mailFor(order).text).toContain('Firefox');
    expect(mailFor({ ...order, asked: undefined }).text).toContain('for 15\u00A0minutes.');
    expect(mailFor({ ...order, provider: { maxAge: 900 } }).text).not.toContain('Firefox');
    expect(mailFor({ ...order, provider: { confirm: true } }).text).toContain('Code and link work once. Do not share');
  });
});

describe('the sign-in mail', () => {
  const mail = signInMail({ url, theme: {}, maxAge: 86_400 });

  it('names the host, and says how to use the link, as text and as HTML', () => {
    const validity = 'The link works once, for 24\u00A0hours.';
    const keep = 'Do not share this link. The first person who opens it is signed in as you.';
    const ignore = 'If you did not request this email, ignore it. Without the link, no one can sign in.';
    expect(mail.subject).toBe('Sign in to app.example:8443');
    expect(mail.text).toBe(
      `Sign in to app.example:8443\n\nOpen this address to sign in:\n\n${url}\n\n${validity} ${keep}\n\n${ignore}\n`,
    );
    expect(words(mail.html)).toEqual([
      'Sign in to app.example:8443',
      `Your link to sign in. ${validity}`,
      'Sign in to app.example:8443',
      `Press the button to sign in. ${validity}`,
      ...['Sign in', 'If the button does nothing, open this address:', escaped],
      `${keep} ${ignore}`,
    ]);
  });

  it('holds the link as button and as text', () => {
    expect(mail.text.split('\n')).toContain(url);
    expect(mail.html.split(`href="${escaped}"`)).toHaveLength(3);
    expect(mail.html).toContain(`>${escaped}</a>`);
  });

  it('names the time of the request, and no validity that is not known', () => {
    const unknown = signInMail({ url, theme: {}, asked: { at: new Date('2026-11-23T21:05:59Z') } });
    const requested = 'This email was requested on 23 November 2026 at 21:05 UTC. If you did not request';
    for (const form of [unknown.text, unknown.html]) {
      expect(form).toContain('The link works once.');
      expect(form).toContain(requested);
    }
  });

  it.each([
    ['/logo.png', 'https://app.example:8443/logo.png'],
    ['https://cdn.example/a/Logo.JPEG?v=2', 'https://cdn.example/a/Logo.JPEG?v=2'],
    ['logo.jpg', 'https://app.example:8443/logo.jpg'],
    ['/logo.svg', undefined],
    ['/logo.png/x', undefined],
    ['data:image/png;base64,x.png', undefined],
    ['javascript:alert(1)//x.png', undefined],
    ['https://[/x.png', undefined],
    ['', undefined],
  ])('shows a logo that is a PNG or JPEG file, and loads nothing else: %s', (logo, src) => {
    const sources = (html: string): string[] =>
      [...html.matchAll(/<img src="([^"]*)" alt="Acme"/g)].map(([, url = '']) => url);
    const { html } = signInMail({ url, theme: { logo, name: 'Acme' }, maxAge: 60 });
    expect(sources(html)).toEqual(src === undefined ? [] : [src]);
    expect(html.replace(/<img [^>]*>/, '')).not.toMatch(/<img|\bsrc=|url\(/);
  });

  it('names the application, and the host only where it is compared with the address bar', () => {
    const named = signInMail({ url, theme: { name: 'Acme' }, code: '01234567' });
    expect(named.subject).toBe('Sign in to Acme');
    expect(named.html).toContain('<a class="text" href="https://app.example:8443"');
    expect(named.text).toContain('Type it on the page of app.example:8443 that asks for it.');
  });

  it('loads nothing and runs nothing without a logo', () => {
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

  it('has the colors of the pages, light and dark', () => {
    const names = { ground: 'background', card: 'surface', line: 'line', text: 'text', muted: 'muted' };
    const { html } = signInMail({ url, theme: {}, code: '01234567' });
    const dark = /@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(html)?.[1] ?? '';
    for (const [part, name] of Object.entries(names)) {
      const [, ofPage, ofDarkPage] = new RegExp(`--${name}:light-dark\\((#\\w+),(#\\w+)\\)`).exec(styles) ?? [];
      const property = { ground: 'background-color', card: 'background-color', line: 'border-color' }[part] ?? 'color';
      expect(dark, part).toContain(`.${part}{${property}:${ofDarkPage}!important`);
      const inline = part === 'line' ? `1px solid ${ofPage}` : `${property}:${ofPage}`;
      expect(html.replace(/<style>.*?<\/style>/g, ''), part).toContain(inline);
      const alone = signInMail({ url, theme: { colorScheme: 'dark' }, code: '01234567' }).html;
      expect(alone, part).toContain(inline.replace(String(ofPage), String(ofDarkPage)));
    }
    expect(html).toMatch(/<div class="text line" style="[^"]*border:1px solid #dfe2e7[^"]*color:#16181d/);
    expect(html).toMatch(/<div class="line" style="border-top:1px solid #dfe2e7/);
  });

  it('tells mail programs its color scheme, also in a style sheet', () => {
    expect(mail.html).toContain('<style>:root{color-scheme:light dark;supported-color-schemes:light dark}</style>');
    expect(mail.html).toContain('<html lang="en" dir="ltr">');
  });

  it('has dark buttons for readers who prefer them, unless the site has chosen colors', () => {
    const dark = '.button{background-color:#eceef2!important;color:#16181d!important}}</style>';
    expect(mail.html).toContain(dark);
    const branded = signInMail({ url, theme: { brandColor: '#346df1' } }).html;
    expect(branded).not.toContain('.button{');
    expect(branded).toContain('.muted{color:#a4aab6!important}}</style>');
    const button = /<a class="button"[^>]*background-color:(#\w+);color:(#\w+)/;
    expect(button.exec(signInMail({ url, theme: { colorScheme: 'dark' } }).html)?.slice(1)).toEqual([
      '#eceef2',
      '#16181d',
    ]);
  });

  it('has one heading, and underlines links except the one in the heading', () => {
    expect(mail.html.match(/<h1 /g)).toHaveLength(1);
    expect(mail.html.match(/<a class="text" [^>]*color:#16181d;text-decoration:none"/g)).toHaveLength(1);
    expect(mail.html.match(/<a class="muted" [^>]*color:#565c67;text-decoration:underline"/g)).toHaveLength(1);
  });

  it('has a large heading, and notes that are smaller and paler than the text', () => {
    const rows = mail.html.match(/color:#\w+;font:\d+ \d+px\/\d+px system-ui/g)?.map((row) => row.split(/[:; /]/));
    expect(rows?.map(([, color, , weight, size]) => [color, weight, size])).toEqual([
      ['#16181d', '600', '24px'],
      ['#16181d', '400', '16px'],
      ['#ffffff', '600', '16px'],
      ['#565c67', '400', '14px'],
      ['#565c67', '400', '12px'],
      ['#565c67', '400', '14px'],
    ]);
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

describe('a duration in English', () => {
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
  ])('%d s are %s', (seconds, words) => expect(duration(english, seconds)).toBe(words.replace(' ', '\u00A0')));
});
