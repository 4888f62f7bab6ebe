import { describe, expect, it } from 'vitest';
import { parameters, payloads } from './hostile.ts';
import { styleTexts, tags } from './outline.ts';
import { samplePages } from './samples.ts';

const elements = new Set(
  (
    'html head meta title style script noscript body div main img h1 h2 p strong form input button span svg path rect circle ' +
    'a label ul li code'
  ).split(' '),
);
const attributes = new Set(
  (
    'lang data-color-scheme charset name content class src alt width height loading action method type value id for aria-hidden aria-label ' +
    'viewBox d x y rx cx cy r href role placeholder autocomplete autocapitalize spellcheck required autofocus title ' +
    'novalidate disabled data-webauthn data-autofill data-form-field data-ceremony'
  ).split(' '),
);

function check(page: string): void {
  for (const tag of tags(page)) {
    expect(elements).toContain(tag.name);
    for (const [name, value] of Object.entries(tag.attributes)) {
      expect(attributes).toContain(name);
      if (name === 'href' || name === 'action' || name === 'data-webauthn')
        expect(value).not.toMatch(/^\s*(?:j\s*a|data)/i);
      if (name === 'src') expect(value).not.toMatch(/^(?!data:image\/)\s*(?:j\s*a|data)/i);
    }
    // A script is a file of our own origin, never text.
    if (tag.name === 'script') expect(tag.attributes).toEqual({ type: 'module', src: expect.any(String) });
  }
  expect(page).not.toMatch(/<script[^>]*>[^<]/);
  for (const css of styleTexts(page)) expect(css).not.toMatch(/xss|evil|url\(|@import/);
}

describe('no page', () => {
  it('has inline scripts, event handlers or style attributes of its own', () => {
    for (const page of Object.values(samplePages({ brandColor: 'gold', logo: '/logo.svg' }))) check(page.html);
  });

  it('has fewer places for text than the 28 of the threat model', () => {
    expect(parameters.length).toBeGreaterThanOrEqual(28);
  });
});

describe('text in a page', () => {
  it.each(parameters)('cannot be broken out of at %s', (_name, render) => {
    for (const payload of payloads) check(render(payload));
  });
});
