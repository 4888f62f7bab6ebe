import { describe, expect, it } from 'vitest';
import { parameters, payloads } from './hostile.ts';
import { styleTexts, type Tag, tags } from './outline.ts';
import { samplePages } from './samples.ts';

const elements = new Set(
  (
    'html head meta title link style script noscript body div main picture source img h1 h2 p strong form input button span ' +
    'svg path rect circle text a label ul li code footer details summary bdi'
  ).split(' '),
);
const attributes = new Set(
  (
    'lang dir data-color-scheme charset name content media rel class src srcset alt width height loading action method type value id for aria-hidden aria-label ' +
    'viewBox fill d x y rx cx cy r href role placeholder autocomplete autocapitalize inputmode maxlength spellcheck required autofocus title ' +
    'novalidate disabled data-webauthn data-autofill data-form-field data-ceremony data-show data-hide open tabindex readonly aria-invalid aria-describedby checked data-seconds data-letter data-unsupported data-notallowederror data-invalidstateerror data-securityerror data-badrequest data-other'
  ).split(' '),
);

/** One assertion for a page: one for each attribute would take longer than to render it. */
function check(page: string): void {
  const faults = tags(page).flatMap(faultsOf);
  if (/<script[^>]*>[^<]/.test(page)) faults.push('a script with text');
  for (const css of styleTexts(page)) if (/xss|evil|url\(|@import/.test(css)) faults.push(css);
  expect(faults).toEqual([]);
}

function faultsOf(tag: Tag): string[] {
  const faults = Object.entries(tag.attributes)
    .filter(([name, value]) => !isHarmless(name, value))
    .map(([name, value]) => `${tag.name}: ${name}="${value}"`);
  if (!elements.has(tag.name)) faults.push(tag.name);
  // A script is a file of our own origin, never text.
  if (tag.name === 'script' && !isOurScript(tag)) faults.push(`script: ${JSON.stringify(tag.attributes)}`);
  return faults;
}

function isHarmless(name: string, value: string): boolean {
  if (name === 'href' || name === 'action' || name === 'data-webauthn') return !/^\s*(?:j\s*a|data)/i.test(value);
  if (name === 'src') return !/^(?!data:image\/)\s*(?:j\s*a|data)/i.test(value);
  return attributes.has(name);
}

function isOurScript({ attributes: { type, src, ...others } }: Tag): boolean {
  return type === 'module' && src !== undefined && Object.keys(others).length === 0;
}

describe('no page', () => {
  it('has inline scripts, event handlers or style attributes of its own', () => {
    for (const page of Object.values(samplePages({ brandColor: '#ffd700', logo: '/logo.svg' }))) check(page.html);
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
