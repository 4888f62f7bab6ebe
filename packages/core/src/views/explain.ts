import type { PageTheme } from '../types/theme.ts';
import { type Page, renderDocument } from './document.ts';
import { withCode } from './error.ts';
import { type Html, html } from './html.ts';

/** A cause with its texts. */
interface Explained {
  readonly cause?: string | undefined;
  readonly text?: string | undefined;
  readonly remedy?: string | undefined;
  readonly facts?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Data of the page `explain`. */
export interface ExplainPageData {
  readonly theme: PageTheme;
  readonly session: Explained & { readonly steps: readonly string[] };
  readonly refusals: readonly (Explained & {
    /** ISO 8601. */
    readonly at: string;
    readonly action: string;
    readonly type: string;
  })[];
}

/** Returns the page for developers. It is in English, because visitors do not see it. */
export function explainView({ theme, session, refusals }: ExplainPageData): Page {
  const title = 'Explain';
  return renderDocument({
    title,
    theme,
    kind: 'error',
    content: html`<h1>${title}</h1>
<p class="message">Only in development. <code>docs/explain.md</code> has all causes.</p>
<ul class="problems"><li><h2>The session of this browser</h2>
${session.cause === undefined ? html`<p>There is a session.</p>` : explained(session)}
<p class="remedy">${withCode(session.steps.join('; '))}</p></li>
${refusals.length === 0 && html`<li><h2>Refusals</h2><p>This process has refused nothing.</p></li>`}
${refusals.map(
  (one) => html`<li><h2>${one.type} (${one.action}, <time>${one.at}</time>)</h2>${explained(one)}</li>`,
)}</ul>`,
  });
}

function explained({ cause, text, remedy, facts = {} }: Explained): Html {
  const list = Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`);
  return html`<p>${cause !== undefined && html`<code>${cause}</code>: `}${withCode(text ?? 'See the log.')}</p>
${list.length > 0 && html`<p>${list.join(', ')}</p>`}
${remedy !== undefined && html`<p class="remedy">${withCode(remedy)}</p>`}`;
}
