import type { Language } from '../messages/en.ts';
import type { SessionInfo } from '../types/session-records.ts';
import type { PageTheme } from '../types/theme.ts';
import { hiddenField, type Page, pageLanguage, renderDocument, siteLink, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { ago, counted, fill } from './text.ts';

/** Data of the page that lists a visitor's sessions. */
export interface SessionsPageData {
  readonly theme: PageTheme;
  readonly language: Language;
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
  /** URLs of scripts. Default: none. */
  readonly scripts?: readonly string[] | undefined;
}

/** Returns a page with a visitor's sessions. Each but the current one has a form that ends it. */
export function sessionsPage(data: SessionsPageData): Page {
  const { theme, language, origin, sessions, scripts } = data;
  const texts = language.texts.sessions;
  const others = sessions.filter(({ current }) => !current);
  const hasOthers = others.length > 0;
  return renderDocument({
    title: texts.title,
    ...{ theme, scripts },
    language: pageLanguage(language),
    kind: 'sessions',
    content: html`<h1>${texts.title}</h1>
<p class="message">${hasOthers ? counted(language, texts.others, others.length) : texts.onlyThis}</p>
<ul>${[...sessions.filter(({ current }) => current), ...others].map((session) => item(session, data))}
</ul>
<div class="choices">
${hasOthers && endForm('others', texts.endOthers, data)}
${endForm('all', texts.endAll, data)}
</div>
<p class="back">${siteLink(origin)}</p>`,
  });
}

function item(session: SessionInfo, data: SessionsPageData): Html {
  const { language, now } = data;
  const texts = language.texts.sessions;
  const device = session.label ?? texts.unknownDevice;
  return html`
<li>
<h2>${device}${session.current && html` <span class="badge">${texts.thisDevice}</span>`}</h2>
<p>${beginning(session, data)}</p>
<p>${fill(texts.lastUsed, { when: when(language, session.seenAt, now) })}</p>
${!session.current && endForm(session.id, texts.end, data, fill(texts.endLabel, { device }))}
</li>`;
}

/** When, how and where the session began: "Signed in 3 days ago with GitHub, from 192.0.2.0/24". */
function beginning(
  { startedAt, provider, network }: SessionInfo,
  { language, methods, now }: SessionsPageData,
): string {
  const { signedIn, signedInWith, signedInFrom, signedInWithFrom } = language.texts.sessions;
  const method = provider === undefined ? undefined : methods.get(provider);
  const values = { when: when(language, startedAt, now), method: method ?? '', network: network ?? '' };
  if (method === undefined) return fill(network === undefined ? signedIn : signedInFrom, values);
  return fill(network === undefined ? signedInWith : signedInWithFrom, values);
}

/** `seenAt` is exact to some minutes. */
function when(language: Language, then: Date, now: Date): string {
  const seconds = (now.getTime() - then.getTime()) / 1000;
  return seconds < 120 ? language.texts.sessions.now : ago(language, seconds);
}

/** @param name The name for screen readers. It begins with the text of the button. */
function endForm(end: string, text: string, { csrfToken, sessionsUrl }: SessionsPageData, name?: string): Html {
  return html`<form action="${webAddress(sessionsUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('end', end)}
<button type="submit" class="button quiet"${name !== undefined && html` aria-label="${name}"`}>${text}</button>
</form>`;
}
