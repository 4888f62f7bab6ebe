import type { PageTheme } from '../types/theme.ts';
import { glyphs, hiddenField, type Page, renderDocument, webAddress } from './document.ts';
import { type Html, html } from './html.ts';

/** Data of the sign-out page. */
export interface SignOutPageData {
  readonly theme: PageTheme;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the form is posted to. */
  readonly signOutUrl: string;
  /** URL that a form is posted to which ends all sessions of the visitor. Default: the page has no such form. */
  readonly sessionsUrl?: string | undefined;
  /** URL that all choices lead to. Default: `/`. */
  readonly callbackUrl?: string | undefined;
}

/** Returns a page that asks for confirmation, because following a link must not sign out. */
export function signOutPage({ theme, csrfToken, signOutUrl, sessionsUrl, callbackUrl }: SignOutPageData): Page {
  const hidden = html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}`;
  return renderDocument({
    title: 'Sign Out',
    theme,
    kind: 'signout',
    content: html`${glyphs.leave}
<h1>Sign out</h1>
<p class="message">Are you sure you want to sign out?</p>
<div class="choices">
<form action="${webAddress(signOutUrl)}" method="POST">${hidden}
<button id="submitButton" type="submit" class="button">Sign out</button>
</form>${sessionsUrl !== undefined && everywhereForm(sessionsUrl, hidden)}
<a class="button quiet" href="${webAddress(callbackUrl ?? '/')}">Stay signed in</a>
</div>`,
  });
}

function everywhereForm(sessionsUrl: string, hidden: Html): Html {
  return html`
<form action="${webAddress(sessionsUrl)}" method="POST">${hidden}${hiddenField('end', 'all')}
<button type="submit" class="button quiet">Sign out on all devices</button>
</form>`;
}
