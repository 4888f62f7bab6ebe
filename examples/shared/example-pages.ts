import type { Session } from '@latchkey/core/types';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { pagePolicy } from './style.ts';

/** The pages of the examples whose framework renders no HTML itself: Hono, h3, Fastify. */
export interface ExamplePages {
  /** Shows the session. Its forms post to `/sign-out` and `/update`, the latter with the field `name`. */
  start(session: Session | null): string;
  /** A page for signed-in users. */
  private(session: Session): string;
}

/** Headers of the pages. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(),
  'referrer-policy': 'same-origin',
};

/**
 * Returns the pages of an example.
 *
 * @param framework Its name.
 */
export function examplePages(framework: string): ExamplePages {
  const site = { name: `${framework} example`, home: '/', signIn: '/auth/signin', inbox: process.env['INBOX_URL'] };
  return {
    start: (session) =>
      layout(
        site,
        nameOf(session) ?? 'Signed out',
        html`<section class="card"><h1>${nameOf(session) ?? 'You are not signed in'}</h1>
<div class="buttons">${session ? signOut : signIn}<a class="button quiet" href="/private">Private page</a></div></section>
<section><h2>The session</h2>
<pre tabindex="0" aria-label="The session as JSON">${JSON.stringify(session, null, 2)}</pre>
${session && rename(nameOf(session))}</section>`,
      ),
    private: (session) =>
      layout(
        site,
        'Private page',
        html`<section class="card"><h1>The private page</h1><p>You are <strong>${nameOf(session)}</strong>.</p>
<div class="buttons"><a class="button quiet" href="/">Back to the start</a></div></section>`,
      ),
  };
}

const nameOf = (session: Session | null): string | undefined =>
  session?.user?.name ?? session?.user?.email ?? undefined;

const signIn = html`<a class="button" href="/auth/signin?callbackUrl=/">Sign in</a>`;
const signOut = html`<form method="post" action="/sign-out"><button class="button quiet">Sign out</button></form>`;
const rename = (name: string | undefined) => html`<form method="post" action="/update">
<p><label>Name <input name="name" value="${name}" required></label> <button class="button quiet">Change</button></p></form>`;
