import { describe, expect, it } from 'vitest';
import { framedMail, inboxPage, mailPolicy, type ShownMail } from '../inbox-page.ts';

const site = { name: 'A demo', home: '/', signIn: '/signin' };
const date = new Date('2026-01-02T03:04:05Z');

function mail(over: Partial<ShownMail> = {}): ShownMail {
  return { to: ['ada@example.com'], subject: 'Sign in', date, text: 'Hello', html: '<p>Hello</p>', ...over };
}

describe('the inbox', () => {
  it('escapes all parts of a mail', () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
    const page = inboxPage(site, [mail({ to: [hostile], subject: hostile, text: hostile, html: hostile })]);
    const harmless = inboxPage(site, [mail({ to: ['a'], subject: 'a', text: 'a', html: 'a' })]);
    expect(page).not.toMatch(/<script|<img|onerror='/);
    // The page has no more tags and attributes than with harmless text.
    expect([...page.matchAll(/[<"]/g)]).toHaveLength([...harmless.matchAll(/[<"]/g)].length);
  });

  it('makes links of http and https URLs in the text only', () => {
    const text = `Open https://a.test/?a=1&b=2 or javascript:alert(1) or data:text/html,1 or https://b.test/"onclick="alert(1)`;
    const page = inboxPage(site, [mail({ text })]);
    const links = [...page.matchAll(/<p class="text">(.*)<\/p>/gs)].flatMap(([, shown = '']) => [
      ...shown.matchAll(/<a href="([^"]*)">/g),
    ]);
    expect(links.map(([, href]) => href)).toEqual(['https://a.test/?a=1&#38;b=2', 'https://b.test/']);
    expect(page).not.toContain('"onclick');
  });

  it('shows the newest mail first, and opens it', () => {
    const page = inboxPage(site, [mail({ subject: 'first' }), mail({ subject: 'second' })]);
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, subject]) => subject)).toEqual(['second', 'first']);
    expect([...page.matchAll(/<details class="mail"( open)?>/g)].map(([, open]) => open)).toEqual([' open', undefined]);
    expect([...page.matchAll(/src="(.*?)"/g)].map(([, src]) => src)).toEqual(['/inbox/2', '/inbox/1']);
  });

  it('shows the text instead of a frame if a mail has no HTML', () => {
    const page = inboxPage(site, [mail({ html: '', subject: '' })]);
    expect(page).toContain('<details class="plain" open>');
    expect(page).not.toContain('<iframe');
    expect(page).toContain('(no subject)');
  });

  it('shows no more than the 20 newest', () => {
    const page = inboxPage(
      site,
      Array.from({ length: 30 }, (_, index) => mail({ subject: `mail ${index + 1}` })),
    );
    const subjects = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, subject]) => subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([20, 'mail 30', 'mail 11']);
  });
});

describe('a mail in its frame', () => {
  it.each([
    ['<!doctype html><html><head><title>t</title>', '<!doctype html><html><head><base target="_top"><title>t</title>'],
    ['<HEAD lang="en"><title>t</title>', '<HEAD lang="en"><base target="_top"><title>t</title>'],
    ['<header>t</header>', '<base target="_top"><header>t</header>'],
    ['<p>t</p>', '<base target="_top"><p>t</p>'],
    ["<head class='$&$1'>", `<head class='$&$1'><base target="_top">`],
  ])('opens links of %s in place of the whole page', (html, shown) => {
    expect(framedMail({ html })).toBe(shown);
  });

  it('must not run scripts or load resources, and has an opaque origin', () => {
    expect(mailPolicy).toMatch(/^default-src 'none';/);
    expect(mailPolicy).not.toMatch(/script-src|allow-scripts|allow-same-origin|allow-forms|https?:|\*/);
    expect(mailPolicy).toMatch(/; sandbox /);
  });
});
