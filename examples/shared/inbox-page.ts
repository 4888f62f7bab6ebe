import type { Mail } from '@latchkey/testing/mailbox';
import { type Html, html } from './html.ts';
import { inboxPath, layout, type Site } from './layout.ts';

/** What is shown of a mail. */
export type ShownMail = Pick<Mail, 'to' | 'subject' | 'date' | 'text' | 'html'>;

/** How many mails are shown: the newest ones. */
const most = 20;

/**
 * The page with the mails received, newest first.
 *
 * @param mails Oldest first.
 */
export function inboxPage(site: Site, mails: readonly ShownMail[]): string {
  const numbered = mails.map((mail, index) => ({ mail, number: index + 1 }));
  const newest = numbered.reverse().slice(0, most);
  return layout(
    site,
    'Inbox',
    html`<section class="card">
<h1>Inbox</h1>
<p class="soft">Every mail of this demo comes here, whoever it is for: the mail server is part of the demo, and nothing leaves this machine.</p>
<p class="buttons">${newest.length > 0 ? again(site) : signIn(site)}</p>
</section>
${newest.length === 0 && html`<p class="nothing soft">No mail yet. Sign in with an email address (any will do), then come back for the link.</p>`}
${newest.map(({ mail, number }, index) => mailCard(mail, `${inboxPath(site)}/${number}`, index === 0))}`,
  );
}

const again = (site: Site): Html =>
  html`<a class="button quiet" href="${inboxPath(site)}">Look again</a><a class="button quiet" href="${site.home}">To the start</a>`;
const signIn = (site: Site): Html => html`<a class="button" href="${site.signIn}">Sign in</a>`;

/** A mail's HTML as it is shown in its frame: what a link leads to is opened in place of the whole page. */
export function framedMail({ html }: Pick<Mail, 'html'>): string {
  const base = '<base target="_top">';
  return /<head[\s>]/i.test(html) ? html.replace(/<head(\s[^>]*)?>/i, (head) => head + base) : base + html;
}

/**
 * What a mail may do in its frame: have styles of its own and links. No script, nothing loaded from anywhere, no forms; its
 * origin is nobody's, so that our cookies are out of reach.
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

/** Text whose web addresses are links; no other scheme becomes one. */
function linked(text: string): unknown[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
