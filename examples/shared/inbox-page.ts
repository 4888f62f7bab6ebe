import type { Mail } from '@latchkey/testing/mailbox';
import { type Html, html } from './html.ts';
import { inboxPath, layout, type Site } from './layout.ts';

/** The parts of a mail that the page shows. */
export type ShownMail = Pick<Mail, 'to' | 'subject' | 'date' | 'text' | 'html'>;

/** Number of mails that the page shows. */
const most = 20;

/**
 * Returns the page with the received mails, the newest first.
 *
 * @param mails The oldest first.
 */
export function inboxPage(site: Site, mails: readonly ShownMail[]): string {
  const numbered = mails.map((mail, index) => ({ mail, number: index + 1 }));
  const newest = numbered.reverse().slice(0, most);
  return layout(
    site,
    'Inbox',
    html`<section class="card">
<h1>Inbox</h1>
<p class="soft">This page shows all mails of the demo. Its mail server sends nothing to other machines. Type a code on the page that asks for it: go back, or open the inbox in a tab of its own.</p>
<p class="buttons">${newest.length > 0 ? again(site) : signIn(site)}</p>
</section>
${newest.length === 0 && html`<p class="nothing soft">No mail yet. Sign in with an email address (any will do), then return here for the link and the code.</p>`}
${newest.map(({ mail, number }, index) => mailCard(mail, `${inboxPath(site)}/${number}`, index === 0))}`,
  );
}

const again = (site: Site): Html =>
  html`<a class="button quiet" href="${inboxPath(site)}">Look again</a><a class="button quiet" href="${site.home}">To the start</a>`;
const signIn = (site: Site): Html => html`<a class="button" href="${site.signIn}">Sign in</a>`;

/** Returns a mail's HTML for its frame. Links in it open in place of the whole page. */
export function framedMail({ html }: Pick<Mail, 'html'>): string {
  const base = '<base target="_top">';
  return /<head[\s>]/i.test(html) ? html.replace(/<head(\s[^>]*)?>/i, (head) => head + base) : base + html;
}

/**
 * A mail in its frame may have styles and links. It may not run scripts, load anything or send forms. Its
 * origin is opaque, so it cannot reach the cookies of the demo.
 */
export const mailPolicy: string =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation";

function mailCard({ to, subject, date, text, html: content }: ShownMail, address: string, isNewest: boolean): Html {
  return html`<details class="mail"${isNewest && html` open`}>
<summary><h2>${subject || '(no subject)'}</h2><span>to ${to.join(', ')}</span> <time datetime="${date.toISOString()}">${format.format(date)}</time></summary>
${content && html`<iframe src="${address}" sandbox="allow-top-navigation-by-user-activation" title="The mail, as a mail program shows it"></iframe>`}
<details class="plain"${!content && html` open`}><summary>The same as plain text</summary>
<p class="text">${linked(text)}</p></details>
</details>
`;
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns text in which http and https URLs are links. */
function linked(text: string): unknown[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
