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
    ['RebeccaPurple', '#663399'],
    [' tomato ', '#ff6347'],
    ['rgb(255, 99, 71)', '#ff6347'],
    ['rgba(255 99 71 / 50%)', '#ff6347'],
    ['rgb(100% 0% none)', '#ff0000'],
    ['rgb(999 -5 0)', '#ff0000'],
    ['hsl(120, 100%, 25%)', '#008000'],
    ['hsla(0.5turn 100% 50%)', '#00ffff'],
    ['hsl(-120deg 100% 50%)', '#0000ff'],
    ['hsl(200grad 100% 50%)', '#00ffff'],
    ['oklch(62.8% 0.2577 29.23)', '#ff0000'],
    ['oklch(0.452 0.3132 264.05)', '#0000ff'],
    ['oklch(1 0 0)', '#ffffff'],
    ['oklch(0 0 0)', '#000000'],
  ])('%s is %s', (text, hex) => {
    expect(read(text)).toBe(hex);
  });

  it.each([
    '',
    'ff0000',
    '#ff',
    '#fffff',
    '#ggg',
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
    expect(contrast(color('black'), color('white'))).toBeCloseTo(21, 5);
    expect(contrast(color('#777'), color('white'))).toBeCloseTo(4.48, 2);
  });

  it('finds readable colours for every brand', () => {
    for (const name of ['gold', '#7c5cff', 'white', 'black', '#777', 'oklch(0.7 0.2 40)']) {
      for (const surface of ['#ffffff', '#17191e']) {
        expect(contrast(readableOn(color(name), color(surface), 4.5), color(surface))).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(textOn(color(name), 4.5), color(name))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('leaves a colour alone that is readable already', () => {
    expect(toHex(readableOn(color('#0055aa'), color('white'), 4.5))).toBe('#0055aa');
  });
});
