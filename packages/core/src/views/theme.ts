import type { Theme } from '../types.ts';
import { type Color, parseColor, readableOn, textOn, toHex } from './color.ts';
import { surfaces } from './styles.ts';

/** Style rules for the owner's colours; none for a colour that is absent or not understood. */
export function themeRules(theme: Theme): string[] {
  const button = buttonColors(theme);
  const buttonText = parseColor(theme.buttonText) ?? button?.text;
  return [
    ...(button ? [schemeRules((surface) => brandVariables(button.background, surface))] : []),
    ...(buttonText ? [`${root}{--button-text-color:${toHex(buttonText)}}`] : []),
  ];
}

/** What a button is painted with. */
export interface ButtonColors {
  readonly background: Color;
  readonly text: Color;
}

/** The owner's colours of a button; `null` for a brand colour that is absent or not understood. */
export function buttonColors({ brandColor, buttonText }: Theme): ButtonColors | null {
  const brand = parseColor(brandColor);
  const text = parseColor(buttonText);
  return brand && (text ? { background: brand, text } : readableButton(brand));
}

/** Brand colour of a provider, for the circle beside its name. The letter in it only decorates: a ratio of 3 will do. */
export function providerRule(className: string, brandColor: string | undefined): string | null {
  const brand = parseColor(brandColor);
  if (!brand) return null;
  return `.${className}{--provider-brand-color:${toHex(brand)};--provider-text-color:${toHex(textOn(brand, 3))}}`;
}

/** Outranks the palettes of the style sheet. */
const root = ':root:root:root';

/** Most brands want white text: a colour that is nearly dark enough for it gets a shade darker, a pale one gets black text. */
function readableButton(brand: Color): ButtonColors {
  const text = textOn(brand, 3);
  return { background: readableOn(brand, text, 4.5), text };
}

/** Links and outlines keep the owner's hue, but are moved until they can be read on the card. */
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
