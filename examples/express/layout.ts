import { type Html, html } from '../shared/html.ts';
import { layout, type Site } from '../shared/layout.ts';

/** The facts that each page shows about the demo. */
export const site: Site = {
  name: 'Express demo',
  home: '/',
  signIn: '/auth/signin?callbackUrl=/',
  footer: html`For scripts: <a href="/auth/session">/auth/session</a> <a href="/auth/providers">/auth/providers</a> <a href="/auth/csrf">/auth/csrf</a>`,
};

/** Returns a page with the common header and footer. */
export function page(title: string, content: Html): string {
  return layout(site, title, content);
}

/** The sign-out link. */
export const signOut: Html = html`<a class="button quiet" href="/auth/signout?callbackUrl=/">Sign out</a>`;
