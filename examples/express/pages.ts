import type { Session } from '@latchkey/express';
import { html } from '../shared/html.ts';
import { page, signOut } from './layout.ts';

/** The page for those who are signed in. */
export function privatePage({ user }: Session): string {
  return page(
    'Private page',
    html`<section class="card">
<h1>The private page</h1>
<p class="soft">Only those who are signed in can read this. Everybody else is sent to sign in, and comes back here.</p>
<p>You are <strong>${user?.name ?? user?.email}</strong>.</p>
<p class="buttons"><a class="button quiet" href="/">Back to the start</a>${signOut}</p>
</section>`,
  );
}

/** Nothing is at this address. */
export function missingPage(): string {
  return message('Nothing is here', 'This demo has a start page, a private page and an inbox.');
}

/** Something went wrong; the console says what. */
export function failurePage(): string {
  return message('That did not work', 'The console in which the demo was started tells more.');
}

function message(title: string, text: string): string {
  return page(
    title,
    html`<section class="card"><h1>${title}</h1><p class="soft">${text}</p>
<p class="buttons"><a class="button quiet" href="/">To the start</a></p></section>`,
  );
}
