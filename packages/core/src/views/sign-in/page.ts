import { imageAddress, type Page, pageLanguage, renderDocument, webAddress } from '../document.ts';
import { type Html, type HtmlValue, hole, html, template } from '../html.ts';
import { providerMark } from '../mark.ts';
import { fill, phrase } from '../text.ts';
import { hiddenFields, type SignInProblem, type SignInSite, type SignInVisit, scriptsOf } from './data.ts';
import { credentialsForm, type FormState, firstForm, mailForm } from './forms.ts';
import { type EmailEntry, type Layout, layoutOf, type PasskeyEntry, type SignInEntry } from './layout.ts';
import { passkeyFields, passkeyForm } from './passkey.ts';
import { isError, messageBox, problemForm } from './problem.ts';

/** Returns the sign-in page. Only passkeys need JavaScript. */
export function signInPage(site: SignInSite, visit: SignInVisit): Page {
  return render(site, visit, hiddenFields(visit, 'signin'));
}

/** The members of {@link SignInVisit} of a visitor who opens the page for the first time. */
export type PlainVisit = Pick<SignInVisit, 'csrfToken' | 'callbackUrl'>;

/** The page for visitors who open it for the first time, rendered once. */
export interface SignInTemplate {
  /** The page with placeholders. Use it for the headers only. */
  readonly page: Page;
  /** Returns the HTML for one request. */
  readonly htmlFor: (visit: PlainVisit) => string;
}

/** Returns {@link signInPage} as a template. With many providers, rendering is most of the work of a request. */
export function signInTemplate(site: SignInSite): SignInTemplate {
  const page = render(site, { callbackUrl: '' }, hole('hidden'));
  const fillIn = template(page.html);
  return { page, htmlFor: (visit) => fillIn({ hidden: hiddenFields(visit, 'signin') }) };
}

/** A page that is rendered. */
interface View {
  readonly site: SignInSite;
  readonly visit: SignInVisit;
  readonly layout: Layout;
  readonly hidden: Html;
  /** Id of the provider in whose form the message stands. */
  readonly problemId: string | undefined;
}

function render(site: SignInSite, visit: SignInVisit, hidden: Html): Page {
  const { theme, language, providers } = site;
  const { problem } = visit;
  const layout = layoutOf(providers);
  const problemId = problem && problemForm(site, problem);
  const view = { site, visit, layout, hidden, problemId };
  const { signIn, common } = language.texts;
  return renderDocument({
    title: problem && isError(problem) ? fill(common.errorTitle, { title: signIn.title }) : signIn.title,
    theme,
    language: pageLanguage(language),
    kind: 'signin',
    content: html`<h1>${signIn.title}</h1>
${visit.visitor !== undefined && signedInAs(site, visit.visitor)}${problem && problemId === undefined && html`${messageBox(site, visit, problem)}\n`}<div class="ways">
${ways(view)}</div>
${providers.length === 0 && html`<p class="message">${signIn.noProviders}</p>`}${links(view)}`,
    imageSources: layout.services.map((entry) => imageAddress(entry.logo)?.source ?? null),
    scripts: scriptsOf(
      site,
      providers.some(({ type }) => type === 'webauthn'),
    ),
  });
}

function signedInAs({ language }: SignInSite, visitor: string): Html {
  return html`<p class="message">${phrase(language.texts.signedIn.as, { user: html`<strong><bdi>${visitor}</bdi></strong>` })}</p>
`;
}

function ways(view: View): HtmlValue {
  const { layout, site, visit } = view;
  const { first, passkeys, services, others } = layout;
  const hasTop = first !== undefined || passkeys.length > 0;
  return html`${first && html`${firstForm(first, firstState(view))}\n`}${passkeys.map((entry, index) => html`${passkeyButton(view, entry, first === undefined && index === 0)}\n`)}${
    hasTop && services.length > 0 && html`<p class="or">${site.language.texts.signIn.or}</p>\n`
  }${services.length > 0 && serviceButtons(view)}${others.map((entry) => html`${otherWay(view, entry, visit.problem)}\n`)}`;
}

function firstState(view: View): FormState {
  const { layout, visit, problemId } = view;
  const entry = layout.first && firstEntry(layout.first);
  // The message above the forms has the focus.
  const isFocused = visit.problem === undefined || !isError(visit.problem);
  return { ...stateOf(view, entry?.id), buttonId: 'submitButton', hasFocus: isFocused && problemId === undefined };
}

/** Returns the way whose messages stand in the first form. */
function firstEntry(first: NonNullable<Layout['first']>): SignInEntry {
  switch (first.kind) {
    case 'mail':
      return first.mail;
    case 'key':
      return first.key;
    default:
      return first.credentials;
  }
}

function stateOf({ site, visit, layout, hidden, problemId }: View, id: string | undefined): FormState {
  const { problem, identifier = '' } = visit;
  const { first } = layout;
  // One field stands for the mail and for the password.
  const ids = first?.kind === 'identifier' && id === first.credentials.id ? [id, first.mail.id] : [id];
  return {
    site,
    hidden,
    identifier,
    offersPasskeys: layout.passkeys.some(({ autofill }) => autofill) && visit.visitor === undefined,
    hasFocus: false,
    problem: problemId !== undefined && ids.includes(problemId) ? problem : undefined,
    values: (ids.includes(problem?.provider) && problem?.values) || {},
    buttonId: `submitButton-${id}`,
  };
}

function passkeyButton({ site, visit, layout, hidden }: View, entry: PasskeyEntry, isPrimary: boolean): Html {
  const isAdded = visit.visitor !== undefined;
  const hasField = layout.first !== undefined && layout.first.kind !== 'fields';
  return passkeyForm({
    ...{ site, hidden, entry, isPrimary },
    purpose: isAdded ? 'add' : 'signin',
    autofill: entry.autofill && hasField && !isAdded,
  });
}

function serviceButtons({ site, visit, layout, hidden }: View): Html {
  const { signIn } = site.language.texts;
  return html`${layout.isGrid && html`<p class="caption">${signIn.with}</p>\n`}<div class="providers${layout.isGrid && ' many'}">
${layout.services.map((entry) => {
  const text = fill(signIn.withProvider, { provider: entry.name });
  const isLast = entry.id === visit.lastUsed;
  // The name for screen readers contains all of the visible text.
  const name = isLast ? `${text} ${signIn.lastUsed}` : text;
  return html`<form action="${webAddress(entry.signinUrl)}" method="POST">${hidden}
<button type="submit" class="button quiet"${layout.isGrid && html` aria-label="${name}"`}>${providerMark(entry, site.theme)}<span class="label">${layout.isGrid ? entry.name : text}</span>${isLast && html` <span class="badge">${signIn.lastUsed}</span>`}</button>
</form>
`;
})}</div>
`;
}

/** Returns a further way, which is open if its form has the message. */
function otherWay(view: View, entry: Layout['others'][number], problem: SignInProblem | undefined): Html {
  const { site, hidden } = view;
  // The browser offers passkeys in the first field only.
  const state = { ...stateOf(view, entry.id), offersPasskeys: false };
  const isOpen = problem !== undefined && problem.provider === entry.id;
  return html`<details class="way"${isOpen && html` open`}><summary>${wayName(site, entry)}</summary>
${
  entry.type === 'webauthn'
    ? passkeyForm({ site, hidden, entry, purpose: 'key', fields: passkeyFields(entry), isPrimary: false })
    : entry.type === 'email'
      ? mailForm(entry, state)
      : credentialsForm(entry, state)
}</details>`;
}

function wayName({ language }: SignInSite, entry: EmailEntry | Layout['others'][number]): string {
  const { signIn, passkey } = language.texts;
  if (entry.type === 'email') return fill(signIn.mailWith, { name: entry.name });
  if (entry.type === 'webauthn' && entry.name === 'WebAuthn') return passkey.useKey;
  return fill(signIn.withProvider, { provider: entry.name });
}

function links({ site, visit }: View): Html | false {
  if (visit.visitor !== undefined) return false;
  const { signIn } = site.language.texts;
  const url = site.signUpUrl ?? registerUrl(site);
  return url !== undefined && html`<p class="links"><a href="${webAddress(url)}">${signIn.createAccount}</a></p>`;
}

/** Returns the URL of the page that creates an account with a passkey, unless new users are refused. */
function registerUrl({ signInUrl, providers }: SignInSite): string | undefined {
  const canRegister = providers.some((entry) => entry.type === 'webauthn' && entry.createsUsers !== false);
  return canRegister ? `${signInUrl}?step=register` : undefined;
}
