import type { Theme } from '../types.ts';
import { webAddress } from './address.ts';
import { type Page, renderDocument } from './document.ts';
import { glyphs } from './glyphs.ts';
import { hiddenField } from './hidden-field.ts';
import { html } from './html.ts';

/** What the sign-out page shows. */
export interface SignOutPageData {
  readonly theme: Theme;
  /** Absent when the host framework checks the origin itself. */
  readonly csrfToken?: string | undefined;
  /** Where the form is posted to. */
  readonly signOutUrl: string;
  /** Where the visitor goes in either case. Default: the start page. */
  readonly callbackUrl?: string | undefined;
}

/** Asks before signing out, since a link alone must not do it. */
export function signOutPage({ theme, csrfToken, signOutUrl, callbackUrl }: SignOutPageData): Page {
  return renderDocument({
    title: 'Sign Out',
    theme,
    kind: 'signout',
    content: html`${glyphs.leave}
<h1>Sign out</h1>
<p class="message">Are you sure you want to sign out?</p>
<div class="choices">
<form action="${webAddress(signOutUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}
<button id="submitButton" type="submit" class="button">Sign out</button>
</form>
<a class="button quiet" href="${webAddress(callbackUrl ?? '/')}">Stay signed in</a>
</div>`,
  });
}
