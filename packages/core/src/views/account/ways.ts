import { type Html, html } from '../html.ts';
import type { AccountPageData, ListedWay } from './data.ts';
import { partForm, withDate } from './forms.ts';
import { fillText, accountTexts as texts } from './texts.ts';

/** Returns the section with the ways to sign in, except passkeys. */
export function waysSection(data: AccountPageData, ways: readonly ListedWay[]): Html {
  const listed = ways.filter(({ kind }) => kind !== 'webauthn');
  return html`<section>
<h2>${texts.ways}</h2>
${
  listed.length === 0
    ? html`<p class="hint">${texts.noWays}</p>`
    : html`<ul>${listed.map((way) => item(way, data))}
</ul>`
}
<div class="adds">${data.addable.map(({ id, name }) => addForm(id, name, data))}</div>
</section>`;
}

function item(way: ListedWay, data: AccountPageData): Html {
  const name = nameOf(way);
  const isAccount = way.kind === 'oauth' || way.kind === 'oidc';
  return html`
<li>
<h3>${name}</h3>
${way.label !== undefined && html`<p>${way.label}</p>`}${way.createdAt && withDate(texts.added, way.createdAt)}
${isAccount && removal(way, name, data)}
</li>`;
}

function nameOf({ kind, name }: ListedWay): string {
  if (kind === 'email') return texts.mailed;
  return kind === 'credentials' ? texts.password : (name ?? texts.gone);
}

/** Returns the form that removes a way, or the reason why it cannot be removed. */
export function removal({ id, isOnlyWay, label }: ListedWay, name: string, data: AccountPageData): Html | false {
  if (isOnlyWay) return html`<p>${texts.onlyWay}</p>`;
  const whole = label === undefined ? name : `${name}, ${label}`;
  const removed = fillText(texts.removeWay, { name: whole });
  return data.canUnlink && partForm(data, { part: 'unlink', text: texts.remove, label: removed, hidden: { id } });
}

function addForm(provider: string, name: string, data: AccountPageData): Html {
  const text = fillText(texts.addProvider, { provider: name });
  return partForm(data, { part: 'link', text, hidden: { provider, callbackUrl: data.accountUrl } });
}
