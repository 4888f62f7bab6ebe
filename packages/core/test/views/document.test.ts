import { describe, expect, it } from 'vitest';
import type { Theme } from '../../src/types/config.ts';
import type { PageTheme } from '../../src/types/theme.ts';
import { contrast, parseColor } from '../../src/views/color.ts';
import { renderDocument } from '../../src/views/document.ts';
import { html } from '../../src/views/html.ts';
import { signInStyles, styles } from '../../src/views/styles.ts';
import { surfaces, themeVariables } from '../../src/views/theme.ts';
import { styleTexts } from './outline.ts';
import { samplePages, serviceEntries, signIn } from './samples.ts';

const render = (theme: PageTheme) =>
  renderDocument({ title: 'Title', theme, kind: 'error', content: html`<h1>Heading</h1>` });

/** Value of a custom property in the rule of the theme. */
const variable = (theme: Theme, name: string) =>
  new RegExp(`^:root:root\\{(?:.*;)?${name}:([^;}]+)`, 'm').exec(render(theme).styles[0] ?? '')?.[1];

describe('renderDocument', () => {
  it('has a language, a viewport, a title, one main landmark and one heading', () => {
    for (const page of Object.values(samplePages({}))) {
      expect(page.html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr" data-color-scheme="auto">/);
      expect(page.html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
      expect(page.html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
      expect(page.html.match(/<main /g)).toHaveLength(1);
      expect(page.html.match(/<h1>/g)).toHaveLength(1);
      expect(page.html).toMatch(
        /<div class="page">\s*<main class="(signin|signout|error|verify-request|sessions)">\s*<div class="card">/,
      );
    }
  });

  it('hands out the exact text of its style elements', () => {
    for (const theme of [{}, { brandColor: '#ffd700' }]) {
      for (const page of Object.values(samplePages(theme))) expect(page.styles).toEqual(styleTexts(page.html));
    }
    expect(render({}).styles).toEqual([styles]);
  });

  it('is in English without a language', () => {
    const { html } = render({ links: { terms: '/terms', privacy: '/privacy', help: '/help' } });
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html.match(/<a [^>]*>\w+<\/a>/g)).toEqual([
      '<a href="/terms">Terms</a>',
      '<a href="/privacy">Privacy</a>',
      '<a href="/help">Help</a>',
    ]);
  });

  it('has drawings that screen readers leave out', () => {
    for (const [name, page] of Object.entries(samplePages({})).filter(([name]) =>
      /^(error|verify|sign-out)/.test(name),
    ))
      expect(page.html, name).toMatch(
        /<svg class="glyph( problem)?" viewBox="0 0 24 24" aria-hidden="true"><\w+ [^<]+/,
      );
  });

  it('writes no id twice', () => {
    for (const page of Object.values(samplePages({}))) {
      const ids = [...page.html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('scripts', () => {
  it('are modules at web addresses', () => {
    const parts = { title: 'Title', theme: {}, kind: 'error', content: html`<h1>Heading</h1>` } as const;
    const page = renderDocument({ ...parts, scripts: ['/a.js?v="1"', 'javascript:alert(1)'] });
    expect(page.html.match(/<script.*<\/script>/g)).toEqual([
      '<script type="module" src="/a.js?v=&quot;1&quot;"></script>',
      '<script type="module" src="/"></script>',
    ]);
  });
});

describe('theme', () => {
  it.each(['light', 'dark', 'auto'] as const)('passes colorScheme %s to the style sheet', (colorScheme) => {
    const { html } = render({ colorScheme });
    expect(html).toContain(`data-color-scheme="${colorScheme}"`);
    const content = colorScheme === 'auto' ? 'light dark' : colorScheme;
    expect(html).toContain(`<meta name="color-scheme" content="${content}">`);
  });

  it('ignores an unknown color scheme', () => {
    const colorScheme = 'dark" onclick="x' as 'dark';
    expect(render({ colorScheme }).html).toContain('data-color-scheme="auto"');
  });

  it('keeps the palette of the sheet in step with the surfaces that contrasts are computed for', () => {
    const [, light, dark] = /--surface:light-dark\((#\w+),(#\w+)\)/.exec(styles) ?? [];
    expect([parseColor(light), parseColor(dark)]).toEqual([surfaces.light, surfaces.dark]);
  });

  it('may set each variable of the sheet', () => {
    const [palette = ''] = /^:root\{[^}]*\}/.exec(styles) ?? [];
    expect(new Set(themeVariables)).toEqual(new Set(palette.match(/--[\w-]+(?=:)/g)));
  });

  it('uses the brand color with white text', () => {
    expect(variable({ brandColor: '#0055aa' }, '--brand-color')).toBe('#0055aa');
    expect(variable({ brandColor: '#0055aa' }, '--button-text-color')).toBe('#ffffff');
  });

  it('darkens a brand color that is slightly too pale for white text, and uses black text on a pale one', () => {
    for (const brandColor of ['#7c5cff', '#ff4500', '#ffd700', '#ffffff', '#1db954', '#888']) {
      const background = parseColor(variable({ brandColor }, '--brand-color')) ?? expect.unreachable();
      const text = parseColor(variable({ brandColor }, '--button-text-color')) ?? expect.unreachable();
      expect(contrast(background, text)).toBeGreaterThanOrEqual(4.5);
    }
    expect(variable({ brandColor: '#ffd700' }, '--button-text-color')).toBe('#000000');
  });

  it('draws links and outlines in shades of the brand color that are readable on both cards', () => {
    for (const [name, ratio] of [
      ['--link-color', 4.5],
      ['--brand-line-color', 3],
    ] as const) {
      const [, light, dark] =
        /^light-dark\((#\w+),(#\w+)\)$/.exec(variable({ brandColor: '#ffd700' }, name) ?? '') ?? [];
      expect(contrast(parseColor(light) ?? expect.unreachable(), surfaces.light)).toBeGreaterThanOrEqual(ratio);
      expect(dark).toBe('#ffd700');
    }
  });

  it.each([
    { radius: '4' },
    { radius: -1 },
    { radius: 25 },
    { font: 'x";}a{' },
    { font: 'x'.repeat(65) },
    { font: null },
    { font: { family: 'Inter', src: '//[' } },
    { logo: null },
  ])('%j is left out', (theme) => {
    expect(render(theme as Theme).html).toBe(render({}).html);
  });

  it('uses both colors unchanged if both are configured', () => {
    const theme = { brandColor: '#7c5cff', buttonText: '#fffff0' };
    expect(variable(theme, '--brand-color')).toBe('#7c5cff');
    expect(variable(theme, '--button-text-color')).toBe('#fffff0');
  });

  it.each([
    'red}</style><script>alert(1)</script>',
    'red;}body{display:none}',
    'url(https://evil.example/x)',
    'var(--x)',
    '</style><xss>',
    '@import "//evil.example"',
  ])('%s reaches no style sheet', (value) => {
    const page = signIn({
      theme: { brandColor: value, buttonText: value },
      providers: serviceEntries(3).map((entry) => ({ ...entry, brandColor: value })),
    });
    expect(page.styles).toEqual([signInStyles]);
    expect(page.html).not.toContain(value);
  });
});

describe('images', () => {
  const sources = (logo: string) => render({ logo }).imageSources;

  it.each([
    ['https://cdn.example/logo.svg?v=1', ['https://cdn.example']],
    ['http://localhost:3000/logo.png', ['http://localhost:3000']],
    ['//cdn.example/logo.svg', ['https://cdn.example']],
    ['/logo.svg', []],
    ['logo.svg', []],
    ['data:image/png;base64,AAAA', ['data:']],
  ])('%s needs %j', (logo, expected) => {
    expect(sources(logo)).toEqual(expected);
    expect(render({ logo }).html).toContain('<img class="logo"');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://x/1',
    'https://a;sandbox/x',
    'https://a,b/x',
    'http://[',
    '',
  ])('%j is not an image', (logo) => {
    expect(sources(logo)).toEqual([]);
    expect(render({ logo }).html).not.toContain('<img');
  });

  it('names the sources of provider logos once each', () => {
    const logo = 'https://cdn.example/a.svg';
    const providers = serviceEntries(3).map((entry) => ({ ...entry, logo }));
    const page = signIn({ theme: { logo: 'https://img.example/l.png' }, providers });
    expect(page.imageSources).toEqual(['https://img.example', 'https://cdn.example']);
    expect(page.html.match(/<img src="https:\/\/cdn\.example\/a\.svg" alt=""/g)).toHaveLength(3);
  });
});
