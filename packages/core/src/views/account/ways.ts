import type { Texts } from '../../messages/en.ts';
import { type Html, html } from '../html.ts';
import { fill, isolated, phrase } from '../text.ts';
import type { AccountPageData, ListedWay } from './data.ts';
import { partForm, withDate } from './forms.ts';

/** Returns the section with the ways to sign in, except passkeys. */
export function waysSection(data: AccountPageData, ways: readonly ListedWay[]): Html {
  const texts = data.language.texts.account;
  const listed = ways.filter(({ kind }) => kind !== 'webauthn');
  return html`<section>
<h2>${texts.ways}</h2>
${
  listed.length === 0
    ? html`<p class="hint">${texts.noWays}</p>`
    : html`<ul>${listed.map((way) => item(way, data))}
</ul>`
}
${data.addable.length > 0 && addition(data)}
</section>`;
}

function addition(data: AccountPageData): Html {
  return data.canAddAccount
    ? html`<div class="adds">${data.addable.map(({ id, name }) => addForm(id, name, data))}</div>`
    : noRoom(data);
}

/** Returns the reason why no account or passkey can be added. */
export function noRoom({ language }: AccountPageData): Html {
  return html`<p class="hint">${language.texts.errors.TooManyWays}</p>`;
}

function item(way: ListedWay, data: AccountPageData): Html {
  const { language } = data;
  const name = nameOf(way, language.texts);
  const isAccount = way.kind === 'oauth' || way.kind === 'oidc';
  return html`
<li>
<h3>${isolated(name)}</h3>
${way.label !== undefined && html`<p>${isolated(way.label)}</p>`}${way.createdAt && withDate(language, language.texts.account.added, way.createdAt)}
${isAccount && removal(way, name, data)}
</li>`;
}

function nameOf({ kind, name }: ListedWay, { account: texts }: Texts): string {
  if (kind === 'email') return texts.mailed;
  return kind === 'credentials' ? texts.password : (name ?? texts.gone);
}

/** Returns the form that removes a way, or the reason why it cannot be removed. */
export function removal({ id, isOnlyWay, label }: ListedWay, name: string, data: AccountPageData): Html | false {
  const texts = data.language.texts.account;
  if (isOnlyWay) return html`<p>${texts.onlyWay}</p>`;
  const whole = label === undefined ? name : `${name}, ${label}`;
  const removed = fill(texts.removeWay, { name: whole });
  return data.canUnlink && partForm(data, { part: 'unlink', text: texts.remove, label: removed, hidden: { id } });
}

function addForm(provider: string, name: string, data: AccountPageData): Html {
  const { addProvider } = data.language.texts.account;
  const text = html`<span>${phrase(addProvider, { provider: isolated(name) })}</span>`;
  return partForm(data, { part: 'link', text, hidden: { provider, callbackUrl: data.accountUrl } });
}
