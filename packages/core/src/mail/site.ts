import type { Theme } from '../types/provider.ts';
import { type Html, html } from '../views/html.ts';

/**
 * Returns how a mail names the site: `theme.name`, or the host of the URL.
 *
 * ```ts
 * siteName({ name: 'Acme' }, 'https://app.example/auth'); // 'Acme'
 * ```
 *
 * @throws {TypeError} if `url` is not an absolute URL.
 */
export function siteName({ name }: Theme, url: string): string {
  // The name is in the subject, which must be one line.
  return name?.replace(/[\s\p{Cc}]+/gu, ' ').trim() || new URL(url).host;
}

/**
 * Returns the row with the logo. Mail programs do not show other formats than PNG and JPEG everywhere.
 *
 * @param origin For a logo that is a path.
 * @returns `undefined` without a logo in one of these formats.
 */
export function logoRow(theme: Theme, origin: string): Html | undefined {
  const url = logoUrl(theme.logo, origin);
  if (url === undefined) return undefined;
  return html`<tr><td style="padding:32px 32px 0"><img src="${url}" alt="${siteName(theme, origin)}" height="40" style="display:block;height:40px;width:auto;max-width:192px;border:0"></td></tr>`;
}

function logoUrl(logo: string | undefined, origin: string): string | undefined {
  const url = logo && URL.canParse(logo, origin) ? new URL(logo, origin) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return /\.(png|jpe?g)$/i.test(url.pathname) ? url.href : undefined;
}
