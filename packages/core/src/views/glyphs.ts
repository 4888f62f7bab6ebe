import { type Html, html } from './html.ts';

/** Decorative line drawings, 24 × 24. */
export const glyphs: Readonly<Record<'mail' | 'leave' | 'problem', Html>> = {
  mail: html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><rect x="2.5" y="5" width="19" height="14" rx="2.5"/><path d="m3 7.5 9 6 9-6"/></svg>`,
  leave: html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="M13 4H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h6"/><path d="M10 12h11m-4-4 4 4-4 4"/></svg>`,
  problem: html`<svg class="glyph problem" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.5"/><path d="M12 7.5v5.5m0 3.5v.01"/></svg>`,
};
