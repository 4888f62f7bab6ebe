import type { Theme } from '../types.ts';
import { type Page, renderDocument } from './document.ts';
import { glyphs } from './glyphs.ts';
import { html } from './html.ts';
import { siteLink } from './site-link.ts';

/** What the page after asking for a sign-in mail shows. */
export interface VerifyRequestPageData {
  readonly theme: Theme;
  /** Address of the site, for the way back. */
  readonly origin: string;
}

/** Tells that a mail is on its way. Says the same whether or not the address is known. */
export function verifyRequestPage({ theme, origin }: VerifyRequestPageData): Page {
  return renderDocument({
    title: 'Verify Request',
    theme,
    kind: 'verify-request',
    content: html`${glyphs.mail}
<h1>Check your email</h1>
<p class="message">A sign-in link has been sent to your email address. It may take a minute; have a look in the spam folder, too.</p>
<p class="back">${siteLink(origin)}</p>`,
  });
}
