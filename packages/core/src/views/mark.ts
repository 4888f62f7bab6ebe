import type { MarkPath } from '../types/provider.ts';
import type { PageTheme } from '../types/theme.ts';
import { parseColor, textOn, toHex } from './color.ts';
import { imageAddress } from './document.ts';
import { type Html, html } from './html.ts';

/** The data from which a provider's mark is drawn. */
export interface MarkData {
  /** The label; its first letter is the monogram. */
  readonly name: string;
  /** CSS color of the ground. */
  readonly brandColor?: string | undefined;
  /** URL of an image, shown on white. It replaces the mark. */
  readonly logo?: string | undefined;
  /** Path data of a mark on the brand color, or the paths of a mark with colors of its own, shown on white. */
  readonly icon?: string | readonly MarkPath[] | undefined;
}

/** Returns the mark of a provider. It is decorative, because the label says the same. */
export function providerMark(data: MarkData, theme: PageTheme): Html {
  const image = imageAddress(data.logo);
  if (image) {
    return html`<span class="mark image" aria-hidden="true"><img src="${image.src}" alt="" width="20" height="20" loading="lazy"></span>`;
  }
  const ground = parseColor(data.brandColor);
  const icon = theme.marks === 'monogram' ? undefined : data.icon;
  if (typeof icon === 'object') return plate('#fff', icon.map(coloredPath));
  const color = ground ? toHex(ground) : 'none';
  // A contrast ratio of 3 is enough for graphics.
  const ink = ground ? toHex(textOn(ground, 3)) : 'currentColor';
  return icon ? plate(color, html`<path fill="${ink}" d="${icon}"/>`) : monogram(data.name, color, ink);
}

/** A plate of 36 × 36 around a mark of 24 × 24. */
function plate(color: string, content: Html | readonly Html[]): Html {
  return html`<svg class="mark" viewBox="-6 -6 36 36" aria-hidden="true"><path fill="${color}" d="M-6-6h36v36H-6z"/>${content}</svg>`;
}

/** A color that a browser cannot read is left out; the path is then black. */
function coloredPath({ fill, path }: MarkPath): Html {
  const color = parseColor(fill);
  return html`<path${color && html` fill="${toHex(color)}"`} d="${path}"/>`;
}

/** The style sheet draws the letter, because it is not a part of the button's text (WCAG 2.2, "Label in Name"). */
function monogram(name: string, color: string, ink: string): Html {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '?';
  const tone = ink === '#ffffff' ? ' white' : ink === '#000000' && ' black';
  return html`<span class="letter${tone}" data-letter="${letter}" aria-hidden="true">${plate(color, [])}</span>`;
}
