import { languageOf } from '../config/language.ts';
import { pagePath } from '../config/paths.ts';
import { type ListedProvider, providersOf } from '../config/provider.ts';
import { perBase, type Settings } from '../config/settings.ts';
import type { Context, Reply } from '../context.ts';
import { OAuthAccountNotLinked } from '../errors.ts';
import { mayTypeAddress } from '../linking/unproven.ts';
import type { Language } from '../messages/en.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import type { CredentialInput } from '../providers/credentials.ts';
import { lastUsedProvider } from '../session/last-used.ts';
import * as session from '../session/session.ts';
import type { Cookie } from '../types/config.ts';
import type { MarkPath } from '../types/provider.ts';
import type { Page } from '../views/document.ts';
import type { SignInProblem, SignInSite, SignInVisit } from '../views/sign-in/data.ts';
import type { SignInEntry } from '../views/sign-in/layout.ts';
import { type SignInTemplate, signInTemplate, signInPage as signInView } from '../views/sign-in/page.ts';
import { pageReply } from '../wire/page.ts';

/** `GET signin`: the sign-in page, or a redirect to the application's own. */
export async function signInPage(context: Context): Promise<Reply> {
  const { settings, query, callbackUrl, csrfToken, origin, basePath, providerId } = context;
  // A sign-in starts with a form only, because links and image tags can make a browser send a GET.
  if (providerId !== undefined) return { redirect: `${origin}${basePath}/signin` };
  const { error, step, add } = query;
  if (add !== undefined && settings.needsSignInTime) {
    return (await import('./add-account.ts')).addWayPage(context, () => signInSite(context));
  }
  const ownPage = settings.pages.signIn && { redirect: pagePath(settings.pages.signIn, { callbackUrl, error }) };
  if (ownPage && step !== ADDS_PASSKEY) return ownPage;
  if (query.reason === 'offer' && settings.isGuided) {
    const ways = await (await import('./offer-ways.ts')).waysOfOffer(context);
    if (ways) return signInPageWith(context, { ...ways, problem: problemOfQuery(query, OAuthAccountNotLinked.shown) });
  }
  const visitor = await visitorOf(context);
  if (ownPage && !visitor) return ownPage;
  const { site, reply, htmlFor } = await partsFor(context);
  const identifier = query.login_hint ?? query.email;
  const problem = error ? problemOfQuery(query, error) : undefined;
  const lastUsed = lastUsedProvider(context);
  const visit: SignInVisit = { csrfToken, callbackUrl, identifier, problem, lastUsed, visitor: visitor?.user };
  if (visitor && !problem && step === undefined && add === undefined) {
    return signedInReply(context, site, visitor);
  }
  if (step === 'register') return stepReply((await steps()).registerStep(site, visit));
  if (step === ADDS_PASSKEY && visitor) {
    return { ...(await stepReply((await steps()).passkeyStep(site, visit))), cookies: visitor.cookies };
  }
  const isPlain = identifier === undefined && !problem && !visitor && lastUsed === undefined;
  if (isPlain) return { ...reply, body: htmlFor({ csrfToken, callbackUrl }) };
  return { ...(await stepReply(signInView(site, visit))), cookies: visitor?.cookies };
}

/** The value of `step` with which a signed-in user adds a passkey. The application's own page signs in only. */
const ADDS_PASSKEY = 'passkey';

/** Members of the sign-in page for a user who is known, but has to sign in. */
export interface KnownUser {
  /** Ids of the providers to show. */
  readonly providers: ReadonlySet<string>;
  /** Initial value of the field for the address. */
  readonly email: string | undefined;
  /** The message above the ways to sign in. */
  readonly problem: SignInProblem;
}

/** The sign-in page with some of the providers. */
export async function signInPageWith(context: Context, { providers, email, problem }: KnownUser): Promise<Reply> {
  const { callbackUrl, csrfToken } = context;
  const { site } = await partsFor(context);
  // The user signs in, so no passkey is offered that would make another user.
  const shown = site.providers
    .filter(({ id }) => providers.has(id))
    .map((entry) => ({ ...entry, createsUsers: false }));
  return stepReply(signInView({ ...site, providers: shown }, { csrfToken, callbackUrl, identifier: email, problem }));
}

const steps = (): Promise<typeof import('../views/sign-in/steps.ts')> => import('../views/sign-in/steps.ts');

/** Returns a page of the sign-in as a reply. Scripts of passkeys send requests to the site. */
export function stepReply(page: Page, status?: number): Promise<Reply> {
  return pageReply({ ...page, status, connects: page.scripts.some((script) => script.includes('/passkey.js')) });
}

function problemOfQuery(query: Context['query'], error: string): SignInProblem {
  const { reason, code, provider, retryAfter } = query;
  return { error, reason, code, provider, retryAfter: readSeconds(retryAfter) };
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The user who is signed in. */
interface Visitor {
  /** Address or name; '' if the session has neither. */
  readonly user: string;
  readonly name: string | undefined;
  /** Cookies of the session, if it was renewed. */
  readonly cookies: readonly Cookie[];
}

/** Returns the visitor of a session. If the store is unavailable, the visitor counts as signed out. */
async function visitorOf(context: Context): Promise<Visitor | undefined> {
  const { session: found, cookies } = await session.read({ ...context, call: { ...context.call, renew: 'when-due' } });
  if (!isRecord(found)) return undefined;
  const user = isRecord(found['user']) ? found['user'] : {};
  const name = textOf(user['name']) || undefined;
  return { user: textOf(user['email']) || name || '', name, cookies };
}

async function signedInReply(context: Context, site: SignInSite, { user, name, cookies }: Visitor): Promise<Reply> {
  const { settings, csrfToken, callbackUrl } = context;
  const { signedInPage } = await import('../views/sign-in/signed-in.ts');
  // Without a store, there are no accounts to add.
  const addUrl = settings.hasAdapter ? `${site.signInUrl}?add` : undefined;
  const accountUrl = settings.account && (await import('../account/urls.ts')).accountLink(context);
  const page = signedInPage({ site, csrfToken, callbackUrl, user: user || undefined, name, addUrl, accountUrl });
  return { ...(await pageReply(page)), cookies };
}

/** The parts of the sign-in page that depend on the configuration and the language alone. */
interface SignInParts {
  readonly site: SignInSite;
  readonly reply: Reply;
  readonly htmlFor: SignInTemplate['htmlFor'];
}

const partsByLanguage = perBase((_settings, _base) => new Map<string, SignInParts>());

async function partsFor(context: Context): Promise<SignInParts> {
  const { settings, origin, basePath } = context;
  const base = origin + basePath;
  const language = await languageOf(context);
  const known = partsByLanguage(settings, base);
  const parts = known.get(language.code) ?? (await makeParts(settings, base, language));
  known.set(language.code, parts);
  return parts;
}

async function makeParts(settings: Settings, base: string, language: Language): Promise<SignInParts> {
  const { scriptUrl } = await import('./asset.ts');
  const site: SignInSite = {
    theme: settings.pageTheme,
    language,
    providers: providersOf(settings, base).map((provider) => entryOf(provider, base, settings)),
    signInUrl: `${base}/signin`,
    signOutUrl: `${base}/signout`,
    signUpUrl: settings.pages.signUp,
    forgotPasswordUrl: settings.pages.forgotPassword,
    scripts: { page: await scriptUrl(base, 'page.js'), passkey: await scriptUrl(base, 'passkey.js') },
  };
  const { page, htmlFor } = signInTemplate(site);
  return { site, reply: await stepReply(page), htmlFor };
}

/** Returns what the sign-in page and its steps need to know of the configuration. */
export async function signInSite(context: Context): Promise<SignInSite> {
  return (await partsFor(context)).site;
}

/** Values of wrong types are left out, so that one provider cannot break the page of the others. */
function entryOf(provider: ListedProvider, base: string, settings: Settings): SignInEntry {
  const { id, signinUrl, callbackUrl } = provider;
  const name = textOf(provider.name) || id;
  switch (provider.type) {
    case 'oauth':
    case 'oidc': {
      const { brandColor, bg, logo, icon, label } = provider.style ?? {};
      const style = { brandColor: textOf(brandColor ?? bg), logo: textOf(logo), icon: markOf(icon) };
      return { type: provider.type, id, name: textOf(label) || name, signinUrl, ...style };
    }
    case 'credentials':
      return { type: 'credentials', id, name, callbackUrl, fields: fieldsOf(provider.credentials) };
    case 'email':
      return { type: 'email', id, name, signinUrl };
    case 'webauthn': {
      const { enableConditionalUI, formFields, registrationOptions } = provider;
      const optionsUrl = `${base}/webauthn-options/${id}`;
      const autofill = Boolean(enableConditionalUI);
      const fields = fieldsOf(formFields);
      // Without a field, there is no name to type.
      const isDiscoverable =
        registrationOptions?.authenticatorSelection?.residentKey === 'required' || Object.keys(fields).length === 0;
      // The application's hook may name users without an address.
      const createsUsers = provider.getUserInfo !== undefined || mayTypeAddress(settings, base, provider);
      return { type: 'webauthn', id, name, callbackUrl, optionsUrl, autofill, isDiscoverable, fields, createsUsers };
    }
  }
}

/** A list of paths is drawn by `views/mark.ts`, which checks each. */
function markOf(icon: unknown): string | readonly MarkPath[] | undefined {
  return isMarkPaths(icon) ? icon : textOf(icon);
}

function isMarkPaths(icon: unknown): icon is readonly MarkPath[] {
  return Array.isArray(icon) && icon.every((one) => isRecord(one) && textOf(one['path']) !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fieldsOf(fields: unknown): Record<string, CredentialInput> {
  if (!isRecord(fields)) return {};
  const inputs = Object.entries(fields).filter((entry): entry is [string, Plain] => isRecord(entry[1]));
  return Object.fromEntries(inputs.map(([key, input]) => [key, { ...input, label: textOf(input['label']) }]));
}
