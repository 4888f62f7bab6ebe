import type { Texts } from '../../messages/en.ts';
import { type Page, pageLanguage, renderDocument, siteLink, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { AccountPageData } from './data.ts';
import { passkeySection } from './passkeys.ts';
import { addressSection, dataSection, profileSection, sessionsSection } from './sections.ts';
import { waysSection } from './ways.ts';

/** Returns the page on which users manage their account. It has forms, and no scripts. */
export function accountPage(data: AccountPageData): Page {
  const { theme, language, origin, ways } = data;
  const { title } = language.texts.account;
  return renderDocument({
    title,
    theme,
    language: pageLanguage(language),
    kind: 'account',
    rules,
    content: html`<h1>${title}</h1>
${notice(data)}${again(data)}
${profileSection(data)}${addressSection(data)}${ways && waysSection(data, ways)}${passkeySection(data)}${sessionsSection(data)}${dataSection(data)}
<p class="back">${siteLink(origin)}</p>`,
  });
}

/** The keys of the texts after a change, by the values of `?done=`. */
const done = new Map<string, 'doneName' | 'doneEmail' | 'doneUnlink' | 'donePasskey'>([
  ['name', 'doneName'],
  ['email', 'doneEmail'],
  ['unlink', 'doneUnlink'],
  ['passkey', 'donePasskey'],
]);

/** The values of `?error=` that have a text of their own. */
const errors = ['BadRequest', 'EmailSignin', 'Verification', 'LastWayIn', 'RateLimited', 'MissingCSRF'] as const;

/** Says whether the last form has changed something. Only texts of this page appear, because a link could name any. */
function notice({ language, ...query }: AccountPageData): Html | null {
  const texts = language.texts.account;
  if (query.error !== undefined) {
    return html`<p class="message" role="alert">${errorText(language.texts, query.error)}</p>`;
  }
  const key = done.get(query.done ?? '');
  return key === undefined ? null : html`<p class="message done" role="status">${texts[key]}</p>`;
}

function errorText(texts: Texts, error: string): string {
  if (error === 'TooManyWays') return texts.errors.TooManyWays;
  return texts.account[errors.find((code) => code === error) ?? 'otherError'];
}

function again({ language, signInAgainUrl }: AccountPageData): Html | null {
  if (signInAgainUrl === undefined) return null;
  const { notRecent, signInAgain } = language.texts.account;
  return html`<p class="message">${notRecent} <a href="${webAddress(signInAgainUrl)}">${signInAgain}</a></p>`;
}

/** The rules of this page alone. */
const rules = [
  'main.account{max-width:34rem}',
  '.account section{margin-top:2rem;padding-top:1.5rem;border-top:1px solid var(--line)}',
  '.account h2{margin:0 0 1rem;font-size:1.125rem;font-weight:650}',
  '.account .done{padding:.875rem 1rem;border:1px solid var(--line);border-radius:.6875rem;background:var(--hover);color:var(--text)}',
  '.account ul{display:grid;gap:.75rem;margin:0 0 1rem;padding:0;list-style:none}',
  '.account li{padding:1rem 1.125rem;border:1px solid var(--line);border-radius:.6875rem}',
  '.account h3{margin:0 0 .25rem;font-size:1rem;font-weight:650;overflow-wrap:anywhere}',
  '.account li p,.account .hint{margin:0 0 .25rem;color:var(--muted);font-size:.9375rem}',
  '.account .hint{margin-bottom:.75rem}',
  '.account form+.hint{margin-top:1.5rem}',
  '.account li form{margin-top:.75rem}',
  '.account .button{min-height:2.75rem}',
  '.account .adds{display:grid;gap:.625rem}',
  '.account .adds form{margin:0}',
];
