import type { PageTheme, ThemeFont, ThemeOptions, ThemeVariable } from '../types/theme.ts';
import { type Color, parseColor, readableOn, textOn, toHex } from './color.ts';

/** Returns style rules for the theme. Values that are absent or invalid have no rule. */
export function themeRules(theme: ThemeOptions): string[] {
  const button = buttonColors(theme);
  const buttonText = parseColor(theme.buttonText) ?? button?.text;
  const variables = {
    ...(button && brandVariables(button.background)),
    ...(buttonText && { '--button-text-color': toHex(buttonText) }),
    ...(isRadius(theme.radius) && { '--radius': `${theme.radius}px` }),
    ...fontVariable(theme.font),
    ...ownVariables(theme.variables),
  };
  const list = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return [...fontFace(theme.font), ...(list.length > 0 ? [`:root:root{${list.join(';')}}`] : [])];
}

/** Colors of a button. */
export interface ButtonColors {
  readonly background: Color;
  readonly text: Color;
}

/** Returns the configured colors of a button, or `null` if the brand color is absent or invalid. */
export function buttonColors({ brandColor, buttonText }: ThemeOptions): ButtonColors | null {
  const brand = parseColor(brandColor);
  const text = parseColor(buttonText);
  return brand && (text ? { background: brand, text } : readableButton(brand));
}

/** Color of the card in both palettes, `--surface` in `styles.ts`. */
export const surfaces: { readonly light: Color; readonly dark: Color } = {
  light: { red: 0xff, green: 0xff, blue: 0xff },
  dark: { red: 0x17, green: 0x19, blue: 0x1e },
};

/** Returns the colors of the card on light and dark pages, for `theme-color`. `null` if the theme has others. */
export function themeColors({ variables }: ThemeOptions): { light: string; dark: string } | null {
  const own = variables?.['--surface'];
  if (own === undefined) return { light: toHex(surfaces.light), dark: toHex(surfaces.dark) };
  const [, light = own, dark = own] = /^light-dark\(\s*([^()]+?)\s*,\s*([^()]+?)\s*\)$/.exec(own) ?? [];
  const [lightColor, darkColor] = [parseColor(light), parseColor(dark)];
  return lightColor && darkColor ? { light: toHex(lightColor), dark: toHex(darkColor) } : null;
}

/** The color scheme of the pages. An unknown one is `auto`. */
export function colorSchemeOf({ colorScheme }: PageTheme): 'auto' | 'dark' | 'light' {
  return colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'auto';
}

/** The CSS variables that `theme.variables` may set. */
export const themeVariables: readonly ThemeVariable[] = [
  '--background',
  '--surface',
  '--text',
  '--muted',
  '--line',
  '--control-line',
  '--hover',
  '--brand-color',
  '--brand-line-color',
  '--button-text-color',
  '--link-color',
  '--problem',
  '--problem-surface',
  '--problem-line',
  '--shadow',
  '--radius',
  '--font',
];

/** Returns whether a name is one of {@link themeVariables}. */
export function isThemeVariable(name: string): boolean {
  return themeVariables.some((known) => known === name);
}

/** Returns whether a value may be written into the style sheet: it cannot end a declaration, or load anything. */
export function isCssValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\w\s#%(),./+-]{1,96}$/.test(value) && !/(?:url|image-set)\(/i.test(value);
}

/** Returns whether a value is a radius in pixels. */
export function isRadius(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_RADIUS;
}

/** Pixels. */
const MAX_RADIUS = 24;

/** Returns whether a value is the name of a font family. */
export function isFontFamily(value: unknown): value is string {
  return typeof value === 'string' && /^[\p{L}\p{N} _-]{1,64}$/u.test(value);
}

/** Stands for the origin of the page, which a view does not know. */
export const ourOrigin = 'https://latchkey.invalid';

/** Returns the path of the font file, or `undefined` if the pages load none. */
export function fontPath({ font }: ThemeOptions): string | undefined {
  return fontFile(font)?.src;
}

/** A file of another origin is left out: the policy of the page does not allow it. */
function fontFile(font: ThemeOptions['font']): ThemeFont | undefined {
  if (typeof font !== 'object' || font === null || !isFontFamily(font.family)) return undefined;
  const isPath = String(font.src).startsWith('/') && URL.parse(font.src, ourOrigin)?.origin === ourOrigin;
  return isPath ? font : undefined;
}

function fontFace(font: ThemeOptions['font']): string[] {
  const file = fontFile(font);
  if (!file) return [];
  // The URL parser has encoded quotes, line breaks and `<`. A backslash would escape in a string of CSS.
  const { pathname, search } = new URL(file.src, ourOrigin);
  const address = `${pathname}${search}`.replaceAll('\\', '%5C');
  return [`@font-face{font-family:"${file.family}";src:url("${address}");font-display:swap;font-weight:100 900}`];
}

function fontVariable(font: ThemeOptions['font']): { '--font'?: string } {
  const family = typeof font === 'string' ? font : fontFile(font)?.family;
  if (!isFontFamily(family)) return {};
  // A generic family such as `serif` must not be in quotes.
  return { '--font': `${/^[a-z][a-z-]*$/.test(family) ? family : `"${family}"`},system-ui,sans-serif` };
}

function ownVariables(variables: ThemeOptions['variables']): Record<string, string> {
  const entries = Object.entries(variables ?? {}).filter(
    (entry): entry is [string, string] => isThemeVariable(entry[0]) && isCssValue(entry[1]),
  );
  return Object.fromEntries(entries);
}

/**
 * Brands prefer white text. Returns white text on a darker shade if white almost fits, and black text on a pale color.
 */
function readableButton(brand: Color): ButtonColors {
  const text = textOn(brand, 3);
  return { background: readableOn(brand, text, 4.5), text };
}

/** Returns the brand color for buttons, and readable shades of it for links and outlines on the card. */
function brandVariables(brand: Color): Record<string, string> {
  return {
    '--brand-color': toHex(brand),
    '--brand-line-color': onBothSurfaces(brand, 3),
    '--link-color': onBothSurfaces(brand, 4.5),
  };
}

function onBothSurfaces(color: Color, ratio: number): string {
  const [light, dark] = [surfaces.light, surfaces.dark].map((surface) => toHex(readableOn(color, surface, ratio)));
  return `light-dark(${light},${dark})`;
}
