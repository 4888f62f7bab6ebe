import type { Theme } from '../types/provider.ts';

/** Returns style rules for the configured colors. Absent and invalid colors have no rule. */
export function themeRules(theme: Theme): string[] {
  const button = buttonColors(theme);
  const buttonText = parseColor(theme.buttonText) ?? button?.text;
  return [
    ...(button ? [schemeRules((surface) => brandVariables(button.background, surface))] : []),
    ...(buttonText ? [`${root}{--button-text-color:${toHex(buttonText)}}`] : []),
  ];
}

/** Colors of a button. */
export interface ButtonColors {
  readonly background: Color;
  readonly text: Color;
}

/** Returns the configured colors of a button, or `null` if the brand color is absent or invalid. */
export function buttonColors({ brandColor, buttonText }: Theme): ButtonColors | null {
  const brand = parseColor(brandColor);
  const text = parseColor(buttonText);
  return brand && (text ? { background: brand, text } : readableButton(brand));
}

/** Returns the rule for the mark of a provider, or `null`. The mark is decorative: a contrast ratio of 3 is enough. */
export function providerRule(className: string, brandColor: string | undefined): string | null {
  const brand = parseColor(brandColor);
  if (!brand) return null;
  return `.${className}{--provider-brand-color:${toHex(brand)};--provider-text-color:${toHex(textOn(brand, 3))}}`;
}

/** Color of the card in both palettes, `--surface` in `styles.ts`. */
export const surfaces: { readonly light: Color; readonly dark: Color } = {
  light: { red: 0xff, green: 0xff, blue: 0xff },
  dark: { red: 0x17, green: 0x19, blue: 0x1e },
};

/** More specific than the selectors of the palettes. */
const root = ':root:root:root';

/**
 * Brands prefer white text. Returns white text on a darker shade if white almost fits, and black text on a pale color.
 */
function readableButton(brand: Color): ButtonColors {
  const text = textOn(brand, 3);
  return { background: readableOn(brand, text, 4.5), text };
}

/** Returns the brand color for buttons, and readable shades of it for links and outlines on the card. */
function brandVariables(brand: Color, surface: Color): string {
  const variables = {
    '--brand-color': brand,
    '--brand-line-color': readableOn(brand, surface, 3),
    '--link-color': readableOn(brand, surface, 4.5),
  };
  return Object.entries(variables)
    .map(([name, color]) => `${name}:${toHex(color)}`)
    .join(';');
}

function schemeRules(variables: (surface: Color) => string): string {
  const dark = variables(surfaces.dark);
  return [
    `${root}{${variables(surfaces.light)}}`,
    `@media (prefers-color-scheme:dark){${root}[data-color-scheme="auto"]{${dark}}}`,
    `${root}[data-color-scheme="dark"]{${dark}}`,
  ].join('\n');
}

/** An opaque sRGB color with channels from 0 to 255. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const white: Color = { red: 255, green: 255, blue: 255 };
const black: Color = { red: 0, green: 0, blue: 0 };

/**
 * Reads a color in the form `#rgb`, `#rrggbb` or `rgb()` and ignores the opacity. Returns `null` for any other value.
 *
 * {@link toHex} writes style sheets from the numbers, so that they do not contain configured text.
 */
export function parseColor(text: unknown): Color | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const value = text.trim().toLowerCase();
  const rgb = /^rgba?\(([^()]*)\)$/.exec(value)?.[1];
  return rgb === undefined ? fromHex(value) : fromRgb(rgb);
}

/** Returns the color as `#rrggbb`. */
export function toHex({ red, green, blue }: Color): string {
  return `#${[red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns white if its contrast with `background` is at least `ratio`, else black. Black then has at least 4.5. */
export function textOn(background: Color, ratio: number): Color {
  return contrast(white, background) >= ratio ? white : black;
}

/** Returns the shade nearest to `color` whose contrast with `background` is at least `ratio`. */
export function readableOn(color: Color, background: Color, ratio: number): Color {
  const goal = contrast(white, background) > contrast(black, background) ? white : black;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, goal, share);
    if (contrast(mixed, background) >= ratio) return mixed;
  }
  return goal;
}

function mix(one: Color, other: Color, share: number): Color {
  const blend = (a: number, b: number): number => Math.round(a + (b - a) * share);
  return {
    red: blend(one.red, other.red),
    green: blend(one.green, other.green),
    blue: blend(one.blue, other.blue),
  };
}

function luminance({ red, green, blue }: Color): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function fromHex(text: string): Color | null {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (start: number): number => Number.parseInt(long.slice(start, start + 2), 16);
  return { red: channel(0), green: channel(2), blue: channel(4) };
}

/** Reads the arguments of `rgb()` or `rgba()`: numbers or percentages (CSS Color 4 §5.1). */
function fromRgb(list: string): Color | null {
  const parts = list.trim().split(/[\s,/]+/);
  const [red, green, blue] = parts.map(readChannel);
  return parts.length <= 4 && red != null && green != null && blue != null ? { red, green, blue } : null;
}

function readChannel(text: string): number | null {
  const match = /^(\d{1,3}(?:\.\d{1,9})?)(%?)$/.exec(text);
  return match && Math.min(255, match[2] ? (Number(match[1]) * 255) / 100 : Number(match[1]));
}
