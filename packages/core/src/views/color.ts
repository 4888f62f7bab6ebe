import { namedColor } from './color-names.ts';

/** An opaque sRGB colour, channels 0–255. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const white: Color = { red: 255, green: 255, blue: 255 };
const black: Color = { red: 0, green: 0, blue: 0 };

/**
 * Reads a CSS colour: hex, a name, `rgb()`, `hsl()` or `oklch()`. Opacity is ignored. `null` for anything else.
 *
 * Style sheets are written from the numbers, by {@link toHex}: no character of the owner's text reaches them.
 */
export function parseColor(text: unknown): Color | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const value = text.trim().toLowerCase();
  if (value.startsWith('#')) return fromHex(value.slice(1));
  const call = /^(rgb|hsl|oklch)a?\(([^()]*)\)$/.exec(value);
  if (call) return fromFunction(call[1] ?? '', call[2] ?? '');
  return fromHex(namedColor(value) ?? '');
}

/** `#rrggbb` */
export function toHex({ red, green, blue }: Color): string {
  return `#${[red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** Contrast ratio, 1–21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** White if it stands out from `background` by `ratio`, else black (whose ratio is then at least 4.5). */
export function textOn(background: Color, ratio: number): Color {
  return contrast(white, background) >= ratio ? white : black;
}

/** `color`, made darker or lighter just as far as it needs to stand out from `background` by `ratio`. */
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

function fromLinear(share: number): number {
  return clamp(share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055) * 255;
}

function fromHex(digits: string): Color | null {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return null;
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (start: number): number => Number.parseInt(long.slice(start, start + 2), 16);
  return { red: channel(0), green: channel(2), blue: channel(4) };
}

function fromFunction(name: string, list: string): Color | null {
  const parts = list
    .trim()
    .split(/[\s,/]+/)
    .map(readPart);
  const [first, second, third] = parts;
  if (!first || !second || !third || parts.length > 4 || parts.includes(null)) return null;
  if (name === 'rgb') return { red: asChannel(first), green: asChannel(second), blue: asChannel(third) };
  if (name === 'hsl') return fromHsl(asTurn(first), clamp(second.value / 100), clamp(third.value / 100));
  const lightness = clamp(first.unit === '%' ? first.value / 100 : first.value);
  const chroma = Math.max(0, second.unit === '%' ? second.value * 0.004 : second.value);
  return fromOklch(lightness, chroma, asTurn(third));
}

interface Part {
  readonly value: number;
  readonly unit: string;
}

function readPart(text: string): Part | null {
  if (text === 'none') return { value: 0, unit: '' };
  const match = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(%|deg|grad|rad|turn|)$/.exec(text);
  return match ? { value: Number(match[1]), unit: match[2] ?? '' } : null;
}

function asChannel({ value, unit }: Part): number {
  return clamp(value / (unit === '%' ? 100 : 255)) * 255;
}

function asTurn({ value, unit }: Part): number {
  if (unit === 'turn') return value;
  if (unit === 'rad') return value / (2 * Math.PI);
  return value / (unit === 'grad' ? 400 : 360);
}

/** CSS Color 4 §7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const step = (((offset + hue * 12) % 12) + 12) % 12;
    return (lightness - reach * Math.max(-1, Math.min(step - 3, 9 - step, 1))) * 255;
  };
  return { red: channel(0), green: channel(8), blue: channel(4) };
}

/** CSS Color 4 §9.3 and §10.13; a colour outside of sRGB is clipped. */
function fromOklch(lightness: number, chroma: number, hue: number): Color {
  const a = chroma * Math.cos(hue * 2 * Math.PI);
  const b = chroma * Math.sin(hue * 2 * Math.PI);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    red: fromLinear(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    green: fromLinear(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    blue: fromLinear(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
