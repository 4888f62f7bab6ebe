import { describe, expect, it } from 'vitest';
import { contrast, parseColor, readableOn, textOn, toHex } from '../../src/views/color.ts';

const read = (text: unknown): string | null => {
  const color = parseColor(text);
  return color && toHex(color);
};

const color = (text: string) => parseColor(text) ?? expect.unreachable(text);

describe('parseColor', () => {
  it.each([
    ['#fff', '#ffffff'],
    ['#0f08', '#00ff00'],
    ['#7C5CFF', '#7c5cff'],
    ['#7c5cff80', '#7c5cff'],
    ['rgb(255, 99, 71)', '#ff6347'],
    ['rgba(255 99 71 / 50%)', '#ff6347'],
    ['rgb(100% 0% 50%)', '#ff0080'],
    [' rgb(999 5 0) ', '#ff0500'],
    ['rgb( 1 2 3 )', '#010203'],
    ['rgb(99.60% 12.25 0.5)', '#fe0c01'],
    [`rgb(${' '.repeat(54)}1 2 3)`, '#010203'],
  ])('%s is %s', (text, hex) => {
    expect(read(text)).toBe(hex);
  });

  it.each([
    '',
    'ff0000',
    '#ff',
    '#fffff',
    '#ggg',
    'tomato',
    'hsl(120 100% 25%)',
    'oklch(1 0 0)',
    'rgb(-1 2 3)',
    'transparent',
    'currentcolor',
    'inherit',
    'constructor',
    '__proto__',
    'var(--x)',
    'url(https://evil.example/)',
    'rgb(1 2)',
    'rgb(1 2 3 4 5)',
    'rgb(1,2,x)',
    'rgb(1,x,3)',
    'rgb(1 2 3px)',
    'x#fff',
    'xrgb(1 2 3)',
    'rgb(calc(1) 2 3)',
    'rgb(1 2 3)}body{display:none',
    'red;background:url(//evil.example)',
    'red}</style><script>alert(1)</script>',
    'red/**/',
    '#fff;',
    'expression(alert(1))',
    `rgb(${' '.repeat(100)}1 2 3)`,
    null,
    undefined,
    7,
    ['red'],
  ])('refuses %j', (text) => {
    expect(read(text)).toBeNull();
  });
});

describe('contrast', () => {
  it('follows WCAG', () => {
    expect(contrast(color('#000'), color('#fff'))).toBeCloseTo(21, 5);
    expect(contrast(color('#777'), color('#fff'))).toBeCloseTo(4.48, 2);
    expect(contrast(color('#010101'), color('#000'))).toBeCloseTo(1.006, 3);
  });

  it('finds readable colors for every brand', () => {
    for (const name of ['#ffd700', '#7c5cff', '#fff', '#000', '#777', '#e36b2c']) {
      for (const surface of ['#ffffff', '#17191e']) {
        expect(contrast(readableOn(color(name), color(surface), 4.5), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(textOn(color(name), 4.5), color(name))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each([
    ['#ffd700', '#ffffff'],
    ['#fff', '#ffffff'],
    ['#e36b2c', '#ffffff'],
    ['#000', '#17191e'],
    ['#7c5cff', '#17191e'],
  ])('finds a shade of %s on %s that is hardly more than readable', (name, surface) => {
    expect(contrast(readableOn(color(name), color(surface), 4.5), color(surface))).toBeLessThan(5.5);
  });

  it('does not change a readable color', () => {
    expect(toHex(readableOn(color('#0055aa'), color('#fff'), 4.5))).toBe('#0055aa');
  });
});
