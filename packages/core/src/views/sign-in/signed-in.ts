import { hiddenField, type Page, pageLanguage, renderDocument, webAddress } from '../document.ts';
import { html } from '../html.ts';
import { fill, phrase } from '../text.ts';
import { type SignInSite, scriptsOf } from './data.ts';

/** Data of the page for visitors who are signed in already. */
export interface SignedInPageData {
  readonly site: SignInSite;
  /** `undefined` if the framework checks the origin of forms. */
  readonly csrfToken?: string | undefined;
  /** URL that "Continue" leads to. */
  readonly callbackUrl: string;
  /** Address or name of the user; `undefined` if the session has neither. */
  readonly user: string | undefined;
  /** Name of the user. Default: the button does not name the user. */
  readonly name?: string | undefined;
  /** URL of the page that adds a way to sign in. Default: no link. */
  readonly addUrl?: string | undefined;
  /** URL of the page of the account. Default: no link. */
  readonly accountUrl?: string | undefined;
}

/** Returns the page of a visitor who opens the sign-in page with a session. */
export function signedInPage(data: SignedInPageData): Page {
  const { site, csrfToken, callbackUrl, user, name, addUrl, accountUrl } = data;
  const { signedIn } = site.language.texts;
  const next = name === undefined ? signedIn.continue : fill(signedIn.continueAs, { name });
  return renderDocument({
    title: signedIn.title,
    theme: site.theme,
    language: pageLanguage(site.language),
    kind: 'signin',
    content: html`<h1>${signedIn.title}</h1>
${user !== undefined && html`<p class="message">${phrase(signedIn.as, { user: html`<strong><bdi>${user}</bdi></strong>` })}</p>`}
<div class="choices">
<a class="button" href="${webAddress(callbackUrl)}">${next}</a>
${addUrl !== undefined && html`<a class="button quiet" href="${webAddress(addUrl)}">${signedIn.addWay}</a>\n`}${accountUrl !== undefined && html`<a class="button quiet" href="${webAddress(accountUrl)}">${signedIn.account}</a>\n`}<form action="${webAddress(site.signOutUrl)}" method="POST">${hiddenField('csrfToken', csrfToken)}${hiddenField('callbackUrl', site.signInUrl)}
<button type="submit" class="button quiet">${signedIn.differentAccount}</button>
</form>
</div>`,
    scripts: scriptsOf(site, false),
  });
}
