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
