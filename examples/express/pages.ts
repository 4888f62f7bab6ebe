import type { Session } from '@latchkey/express';
import { html } from '../shared/html.ts';
import { page, signOut } from './layout.ts';

/** Returns the page for signed-in users. */
export function privatePage({ user }: Session): string {
  return page(
    'Private page',
    html`<section class="card">
<h1>The private page</h1>
<p class="soft">Only signed-in users can read this page. Other visitors are redirected to the sign-in page and then return here.</p>
<p>You are <strong>${user?.name ?? user?.email}</strong>.</p>
<p><a href="/profile">Read your profile from the provider's API</a>, with an access token.</p>
<p class="buttons"><a class="button quiet" href="/">Back to the start</a>${signOut}</p>
</section>`,
  );
}

/** Returns the page for unknown URLs. */
export function missingPage(): string {
  return message('Page not found', 'This demo has a start page, a private page and an inbox.');
}

/** Returns the page for unexpected errors. */
export function failurePage(): string {
  return message('Something went wrong', 'The console in which the demo was started shows the error.');
}

function message(title: string, text: string): string {
  return page(
    title,
    html`<section class="card"><h1>${title}</h1><p class="soft">${text}</p>
<p class="buttons"><a class="button quiet" href="/">To the start</a></p></section>`,
  );
}
