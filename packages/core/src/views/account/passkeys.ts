import { webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import { fill, isolated } from '../text.ts';
import type { AccountPageData, ListedWay } from './data.ts';
import { partForm, withDate } from './forms.ts';
import { noRoom, removal } from './ways.ts';

/** Returns the section with the passkeys, if a provider has passkeys or the user has some. */
export function passkeySection(data: AccountPageData): Html | null {
  const passkeys = data.ways?.filter(({ kind }) => kind === 'webauthn') ?? [];
  if (data.passkeyUrl === undefined && passkeys.length === 0) return null;
  const { account: texts } = data.language.texts;
  return html`<section>
<h2>${texts.passkeys}</h2>
${
  passkeys.length === 0
    ? html`<p class="hint">${texts.noPasskeys}</p>`
    : html`<ul>${passkeys.map((way) => item(way, data))}
</ul>`
}
${data.passkeyUrl !== undefined && addition(data, data.passkeyUrl)}
</section>`;
}

function addition(data: AccountPageData, url: string): Html {
  if (!data.canAddPasskey) return noRoom(data);
  return html`<a class="button quiet" href="${webAddress(url)}">${data.language.texts.passkey.add}</a>`;
}

function item(way: ListedWay, data: AccountPageData): Html {
  const { language } = data;
  const texts = language.texts.account;
  const name = way.label ?? texts.unnamed;
  return html`
<li>
<h3>${isolated(name)}</h3>
${way.createdAt && withDate(language, texts.added, way.createdAt)}${way.usedAt && withDate(language, texts.lastUsed, way.usedAt)}
${data.canRename && renameForm(way, name, data)}${removal({ ...way, label: undefined }, name, data)}
</li>`;
}

function renameForm({ id, label = '' }: ListedWay, name: string, data: AccountPageData): Html {
  const texts = data.language.texts.account;
  const inputId = `input-passkey-${id}`;
  const fields = html`
<div class="field"><label for="${inputId}">${texts.passkeyName}</label><input id="${inputId}" type="text" name="name" value="${label}" maxlength="100" autocomplete="off"></div>`;
  const renamed = fill(texts.renamePasskey, { name });
  return partForm(data, { part: 'passkey', text: texts.rename, label: renamed, hidden: { id }, fields });
}
