import { typed, webAddress } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { AccountPageData } from './data.ts';
import { partForm } from './forms.ts';

/** Returns the section with the name. */
export function profileSection(data: AccountPageData): Html {
  const texts = data.language.texts.account;
  const fields = html`
<div class="field"><label for="input-name">${texts.name}</label><input id="input-name" type="text" name="name" value="${data.user.name ?? ''}" maxlength="100" autocomplete="name"></div>`;
  return html`<section>
<h2>${texts.profile}</h2>${partForm(data, { part: 'name', text: texts.saveName, fields })}
</section>`;
}

/** Returns the section with the address. It has a form if the address can be changed. */
export function addressSection(data: AccountPageData): Html {
  const texts = data.language.texts.account;
  const { email } = data.user;
  const fields = html`
<div class="field"><label for="input-email">${texts.newAddress}</label><input id="input-email" type="email" name="email" maxlength="254" autocomplete="email" required></div>`;
  return html`<section>
<h2>${texts.address}</h2>
<p>${email ? typed(email) : texts.noAddress}</p>${
    data.canChangeAddress && partForm(data, { part: 'email', text: texts.changeAddress, fields })
  }
</section>`;
}

/** Returns the section that leads to the list of sessions. */
export function sessionsSection({ language, sessionsUrl }: AccountPageData): Html | null {
  if (sessionsUrl === undefined) return null;
  const { account: texts, sessions } = language.texts;
  return html`<section>
<h2>${sessions.title}</h2>
<p class="hint">${texts.sessionsAbout}</p>
<a class="button quiet" href="${webAddress(sessionsUrl)}">${texts.showSessions}</a>
</section>`;
}

/** Returns the section with export and deletion. */
export function dataSection(data: AccountPageData): Html | null {
  const { canExport, canDelete, partUrl } = data;
  if (!canExport && !canDelete) return null;
  const texts = data.language.texts.account;
  const exported = html`
<p class="hint">${texts.exportAbout}</p>${partForm(data, { part: 'export', text: texts.export })}`;
  const deleted = html`
<p class="hint">${texts.deleteAbout}</p>
<a class="button quiet" href="${webAddress(partUrl('delete'))}">${texts.delete}</a>`;
  return html`<section>
<h2>${texts.data}</h2>${canExport && exported}${canDelete && deleted}
</section>`;
}
