import type { Language } from '../messages/en.ts';
import type { PageTheme } from '../types/theme.ts';
import { hiddenField, imageAddress, type Page, pageLanguage, renderDocument, webAddress } from './document.ts';
import { type Html, html } from './html.ts';
import { providerMark } from './mark.ts';
import type { OAuthEntry } from './sign-in/layout.ts';
import { isolated, phrase } from './text.ts';

/** Data that both pages need. */
interface AddPageData {
  readonly theme: PageTheme;
  readonly language: Language;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the visitor is redirected to afterward. */
  readonly callbackUrl: string;
  /** Address or name of the user who is signed in; `undefined` if the user has neither. */
  readonly user: string | undefined;
}

/** Data of the page that offers to add an account. */
export interface OfferPageData extends AddPageData {
  /** Name of the provider. */
  readonly provider: string;
  /** Address or name of the account. */
  readonly label: string;
  /** The visitor has chosen another account at the provider. */
  readonly hasChosenOther: boolean;
  /** URL that the answer is posted to. */
  readonly offerUrl: string;
}

/** Returns the page that asks whether to add an account. It names both sides. */
export function offerPage(data: OfferPageData): Page {
  const { theme, language, user, hasChosenOther } = data;
  const { addWay, account } = language.texts;
  const provider = isolated(data.provider);
  const label = isolated(data.label);
  return renderDocument({
    title: addWay.title,
    theme,
    language: pageLanguage(language),
    kind: 'signout',
    content: html`<h1>${phrase(user === undefined ? addWay.offerToUnnamed : addWay.offer, { provider, label, user: isolated(user ?? '') })}</h1>
${hasChosenOther && html`<p class="message" role="alert">${phrase(addWay.chooseAgain, { provider, label })}</p>\n`}<p class="message">${phrase(addWay.effect, { provider })}</p>
<div class="choices">
${answerForm('add', phrase(account.addProvider, { provider }), data)}
${answerForm('later', html`${addWay.notNow}`, data)}
</div>`,
  });
}

function answerForm(answer: 'add' | 'later', text: Html, { offerUrl, csrfToken, callbackUrl }: OfferPageData): Html {
  return html`<form action="${webAddress(offerUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('answer', answer)}
<button type="submit" class="button${answer === 'later' && ' quiet'}"><span>${text}</span></button>
</form>`;
}

/** Data of the page that lists the ways to add. */
export interface AddWayPageData extends AddPageData {
  /** The providers whose accounts can be added. */
  readonly services: readonly OAuthEntry[];
  /** URL of the page with the form for passkeys. `undefined`: there are no passkeys. */
  readonly passkeyUrl?: string | undefined;
}

/** Returns the page on which a user asks to add an account. */
export function addWayPage(data: AddWayPageData): Page {
  const { theme, language, callbackUrl, user, services, passkeyUrl } = data;
  const { addWay, signedIn, passkey } = language.texts;
  const isEmpty = services.length === 0 && passkeyUrl === undefined;
  return renderDocument({
    title: addWay.title,
    theme,
    language: pageLanguage(language),
    kind: 'signout',
    content: html`<h1>${addWay.title}</h1>
${user !== undefined && html`<p class="message">${phrase(signedIn.as, { user: isolated(user) })}</p>\n`}${isEmpty && html`<p class="message">${addWay.none}</p>\n`}${serviceForms(data)}<div class="choices">${
      passkeyUrl !== undefined &&
      html`
<a class="button quiet" href="${webAddress(passkeyUrl)}">${passkey.add}</a>`
    }
<a class="button quiet" href="${webAddress(callbackUrl)}">${addWay.notNow}</a>
</div>`,
    imageSources: services.map(({ logo }) => imageAddress(logo)?.source ?? null),
  });
}

function serviceForms({ theme, language, csrfToken, callbackUrl, services }: AddWayPageData): Html | false {
  const { addProvider } = language.texts.account;
  const hidden = html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('add', 'true')}`;
  return (
    services.length > 0 &&
    html`<div class="providers">${services.map(
      (entry) => html`
<form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<button type="submit" class="button quiet">${providerMark(entry, theme)}<span class="label">${phrase(addProvider, { provider: isolated(entry.name) })}</span></button>
</form>`,
    )}
</div>
`
  );
}
