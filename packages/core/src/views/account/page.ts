import { type Page, renderDocument, siteLink, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { AccountPageData } from './data.ts';
import { passkeySection } from './passkeys.ts';
import { addressSection, dataSection, profileSection, sessionsSection } from './sections.ts';
import { accountTexts as texts } from './texts.ts';
import { waysSection } from './ways.ts';

/** Returns the page on which users manage their account. It has forms, and no scripts. */
export function accountPage(data: AccountPageData): Page {
  return renderDocument({
    title: texts.title,
    theme: data.theme,
    kind: 'account',
    rules,
    content: html`<h1>${texts.title}</h1>
${notice(data)}${again(data)}
${profileSection(data)}${addressSection(data)}${data.ways && waysSection(data, data.ways)}${passkeySection(data)}${sessionsSection(data)}${dataSection(data)}
<p class="back">${siteLink(data.origin)}</p>`,
  });
}

const done: ReadonlyMap<string, string> = new Map(Object.entries(texts.done));
const errors: ReadonlyMap<string, string> = new Map(Object.entries(texts.errors));

/** What the last form has done. Only texts of this page are shown, because a link could name any other. */
function notice(data: AccountPageData): Html | null {
  if (data.error !== undefined) {
    return html`<p class="message" role="alert">${errors.get(data.error) ?? texts.otherError}</p>`;
  }
  const text = done.get(data.done ?? '');
  return text === undefined ? null : html`<p class="message done" role="status">${text}</p>`;
}

function again({ signInAgainUrl }: AccountPageData): Html | null {
  if (signInAgainUrl === undefined) return null;
  return html`<p class="message">${texts.notRecent} <a href="${webAddress(signInAgainUrl)}">${texts.signInAgain}</a></p>`;
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
