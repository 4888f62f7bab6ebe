import { describe, expect, it } from 'vitest';
import { type MarkData, providerMark } from '../../src/views/mark.ts';

const drawn = (data: Partial<MarkData>, theme = {}): string =>
  providerMark({ name: 'Acme', ...data }, theme).toString();

/** A plate with its color, and what stands on it. */
const plate = (color: string, content: string): string =>
  `<svg class="mark" viewBox="-6 -6 36 36" aria-hidden="true"><path fill="${color}" d="M-6-6h36v36H-6z"/>${content}</svg>`;
const monogram = (letter: string, tone: string, color: string): string =>
  `<span class="letter${tone}" data-letter="${letter}" aria-hidden="true">${plate(color, '')}</span>`;

const brandColor = '#24292f';
const icon = 'M0 0h24z';
const paths = [
  { fill: '#4285F4', path: 'M1 1z' },
  { fill: 'rgb(52 168 83)', path: 'M2 2z' },
  { fill: 'red" onclick="x', path: 'M3"3z' },
];

describe('the mark of a provider', () => {
  it.each<[string, Partial<MarkData>, object, string]>([
    ['a path on the brand color', { icon, brandColor }, {}, plate(brandColor, `<path fill="#ffffff" d="${icon}"/>`)],
    ['dark on a pale color', { icon, brandColor: '#fff' }, {}, plate('#ffffff', `<path fill="#000000" d="${icon}"/>`)],
    ['a path without a color', { icon }, {}, plate('none', `<path fill="currentColor" d="${icon}"/>`)],
    [
      'colors of its own, on white',
      { icon: paths, brandColor },
      {},
      plate('#fff', '<path fill="#4285f4" d="M1 1z"/><path fill="#34a853" d="M2 2z"/><path d="M3&quot;3z"/>'),
    ],
    ['else the first letter', { brandColor }, {}, monogram('A', ' white', brandColor)],
    ['with monograms, the letter', { icon, brandColor }, { marks: 'monogram' }, monogram('A', ' white', brandColor)],
    ['black on a pale color', { brandColor: '#fff' }, {}, monogram('A', ' black', '#ffffff')],
    ['also without colors', { icon: paths }, { marks: 'monogram' }, monogram('A', '', 'none')],
  ])('is %s', (_, data, theme, expected) => expect(drawn(data, theme)).toBe(expected));

  it("is the owner's image, even with monograms", () => {
    const image =
      '<span class="mark image" aria-hidden="true"><img src="/g.svg" alt="" width="20" height="20" loading="lazy"></span>';
    expect(drawn({ logo: '/g.svg', icon }, { marks: 'monogram' })).toBe(image);
    expect(drawn({ logo: 'javascript:alert(1)', icon })).toContain(icon);
  });

  it.each([
    ['(vk)', 'V'],
    ['微信', '微'],
    ['𝒜cme', '𝒜'],
    ['!', '?'],
  ])('takes a letter of any script: %s', (name, letter) => {
    expect(drawn({ name })).toBe(monogram(letter, '', 'none'));
  });
});
