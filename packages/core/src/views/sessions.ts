import type { SessionInfo } from '../types/session-records.ts';
import type { PageTheme } from '../types/theme.ts';
import { hiddenField, type Page, renderDocument, siteLink, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { timeInWords } from './time.ts';

/** Data of the page that lists a visitor's sessions. */
export interface SessionsPageData {
  readonly theme: PageTheme;
  /** Origin of the site, for the link back. */
  readonly origin: string;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the forms are posted to. */
  readonly sessionsUrl: string;
  /** The last seen first. */
  readonly sessions: readonly SessionInfo[];
  /** The names of sign-in methods by the ids of their providers. A method without a name is not shown. */
  readonly methods: ReadonlyMap<string, string>;
  /** The instant of the request. */
  readonly now: Date;
}

/** Returns a page with a visitor's sessions. Each but the current one has a form that ends it. */
export function sessionsPage(data: SessionsPageData): Page {
  const { theme, origin, sessions } = data;
  const others = sessions.filter(({ current }) => !current);
  const hasOthers = others.length > 0;
  return renderDocument({
    title: 'Your sessions',
    theme,
    kind: 'sessions',
    content: html`<h1>Your sessions</h1>
<p class="message">${hasOthers ? 'You are signed in on these devices. If you do not recognize one, sign it out.' : 'You are signed in on this device only.'}</p>
<ul>${[...sessions.filter(({ current }) => current), ...others].map((session) => item(session, data))}
</ul>
<div class="choices">
${hasOthers && endForm('others', 'Sign out on all other devices', data)}
${endForm('all', 'Sign out on all devices', data)}
</div>
<p class="back">${siteLink(origin)}</p>`,
  });
}

function item(session: SessionInfo, data: SessionsPageData): Html {
  const name = session.label ?? 'Unknown device';
  return html`
<li>
<h2>${name}${session.current && html` <span class="badge">This device</span>`}</h2>
<p>Signed in ${ago(session.startedAt, data.now)}${signedInBy(session, data)}</p>
<p>Last used ${ago(session.seenAt, data.now)}</p>
${!session.current && endForm(session.id, 'Sign out', data, `Sign out: ${name}`)}
</li>`;
}

/** The method, and the network of the sign-in: " with GitHub, from 192.0.2.0/24". */
function signedInBy({ provider, network }: SessionInfo, { methods }: SessionsPageData): string {
  const method = provider === undefined ? undefined : methods.get(provider);
  return `${method === undefined ? '' : ` with ${method}`}${network === undefined ? '' : `, from ${network}`}`;
}

/** `seenAt` is exact to some minutes. */
function ago(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  return seconds < 120 ? 'just now' : `${timeInWords(seconds)} ago`;
}

/** @param name The name for screen readers. It begins with the text of the button. */
function endForm(end: string, text: string, { csrfToken, sessionsUrl }: SessionsPageData, name?: string): Html {
  return html`<form action="${webAddress(sessionsUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('end', end)}
<button type="submit" class="button quiet"${name !== undefined && html` aria-label="${name}"`}>${text}</button>
</form>`;
}
