import type { Theme } from '../types/provider.ts';
import { hiddenField, type Page, renderDocument, webAddress } from './document.ts';
import { type Html, html } from './html.ts';

/** All texts of these pages. `{provider}`, `{label}` and `{user}` are placeholders. */
const TEXTS = {
  offerTitle: 'Add an account',
  offerHeading: 'Add {provider} ({label}) to {user}?',
  offerEffect: 'You can then also sign in with {provider}. To confirm, you sign in at {provider} once more.',
  chooseAgain: 'Choose {label} at {provider}.',
  add: 'Add {provider}',
  notNow: 'Not now',
  waysTitle: 'Add a way to sign in',
  waysHeading: 'Add a way to sign in',
  waysUser: 'You are signed in as {user}.',
  noWays: 'There is no further way to sign in.',
  addPasskey: 'Add a passkey',
} as const;

/** Data that both pages need. */
interface AddPageData {
  readonly theme: Theme;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that the visitor is redirected to afterward. */
  readonly callbackUrl: string;
  /** Address or name of the user who is signed in. */
  readonly user: string;
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
  const { theme, provider, label, user, hasChosenOther } = data;
  const names = { provider, label, user };
  return renderDocument({
    title: TEXTS.offerTitle,
    theme,
    kind: 'signout',
    content: html`<h1>${filled(TEXTS.offerHeading, names)}</h1>
${hasChosenOther && html`<p class="message" role="alert">${filled(TEXTS.chooseAgain, names)}</p>\n`}<p class="message">${filled(TEXTS.offerEffect, names)}</p>
<div class="choices">
${answerForm('add', filled(TEXTS.add, names), data)}
${answerForm('later', filled(TEXTS.notNow, names), data)}
</div>`,
  });
}

function answerForm(answer: 'add' | 'later', text: Html, { offerUrl, csrfToken, callbackUrl }: OfferPageData): Html {
  return html`<form action="${webAddress(offerUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('answer', answer)}
<button type="submit" class="button${answer === 'later' && ' quiet'}"><span>${text}</span></button>
</form>`;
}

/** A provider whose accounts can be added. */
export interface AddEntry {
  readonly name: string;
  readonly signinUrl: string;
}

/** Data of the page that lists the ways to add. */
export interface AddWayPageData extends AddPageData {
  readonly providers: readonly AddEntry[];
  /** URL of the page with the form for passkeys. `undefined`: there are no passkeys. */
  readonly passkeyUrl?: string | undefined;
}

/** Returns the page on which a user asks to add an account. */
export function addWayPage({ theme, csrfToken, callbackUrl, user, providers, passkeyUrl }: AddWayPageData): Page {
  const hidden = html`${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', callbackUrl)}${hiddenField('add', 'true')}`;
  const isEmpty = providers.length === 0 && passkeyUrl === undefined;
  return renderDocument({
    title: TEXTS.waysTitle,
    theme,
    kind: 'signout',
    content: html`<h1>${TEXTS.waysHeading}</h1>
<p class="message">${filled(TEXTS.waysUser, { user })}</p>${isEmpty && html`\n<p class="message">${TEXTS.noWays}</p>`}
<div class="choices">${providers.map(
      ({ name, signinUrl }) => html`
<form action="${webAddress(signinUrl)}" method="POST">${hidden}
<button type="submit" class="button quiet"><span>${filled(TEXTS.add, { provider: name })}</span></button>
</form>`,
    )}${
      passkeyUrl !== undefined &&
      html`
<a class="button quiet" href="${webAddress(passkeyUrl)}">${TEXTS.addPasskey}</a>`
    }
<a class="button quiet" href="${webAddress(callbackUrl)}">${TEXTS.notNow}</a>
</div>`,
  });
}

/** Puts values in the places of `{placeholders}`. */
function filled(text: string, values: Readonly<Record<string, string>>): Html {
  return html`${text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : html`<bdi>${values[part]}</bdi>`))}`;
}
