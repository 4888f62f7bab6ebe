import { webAddress } from './address.ts';
import { type Html, html } from './html.ts';

/** The way back to the site, named by its host. */
export function siteLink(origin: string): Html {
  const address = webAddress(origin);
  return html`<a class="site" href="${address}">${URL.parse(address)?.host ?? 'Back to the site'}</a>`;
}
