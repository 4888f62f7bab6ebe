import { pagePath, trimmedPath } from '../config/paths.ts';
import { type ListedProvider, providersOf } from '../config/provider.ts';
import { perBase, type Settings } from '../config/settings.ts';
import type { Context, Reply, RoutedRequest } from '../context.ts';
import { AuthError, errorOf, OAuthAccountNotLinked } from '../errors.ts';
import { mayTypeAddress } from '../linking/unproven.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import type { CredentialInput } from '../providers/credentials.ts';
import { currentUser } from '../session/session.ts';
import { type ErrorDetail, errorPage as errorView } from '../views/error.ts';
import { type SignInEntry, signInTemplate, signInPage as signInView } from '../views/sign-in.ts';
import { signOutPage as signOutView } from '../views/sign-out.ts';
import { pageReply } from '../wire/page.ts';

/** `GET signin`: the sign-in page, or a redirect to the application's own. */
export async function signInPage(context: Context): Promise<Reply> {
  const { settings, query, callbackUrl, csrfToken, origin, basePath, providerId } = context;
  // A sign-in starts with a form only, because links and image tags can make a browser send a GET.
  if (providerId !== undefined) return { redirect: `${origin}${basePath}/signin` };
  if (query.add !== undefined && settings.isGuided) return (await import('./add-account.ts')).addWayPage(context);
  const { error, code, email } = query;
  if (settings.pages.signIn) return { redirect: pagePath(settings.pages.signIn, { callbackUrl, error }) };
  if (query.reason === 'offer' && settings.isGuided) {
    const ways = await (await import('./offer-ways.ts')).waysOfOffer(context);
    if (ways) return signInPageWith(context, { ...ways, error: OAuthAccountNotLinked.shown });
  }
  const { data, reply, htmlFor } = await signInPageParts(settings, origin + basePath);
  const visitor = data.passkeyScript === undefined ? undefined : await visitorName(context);
  const visit = { csrfToken, callbackUrl, error, code, email };
  if (visitor !== undefined) return pageReply(signInView({ ...data, ...visit, visitor }));
  return { ...reply, body: htmlFor(visit) };
}

/** Members of the sign-in page for a user who signs in again. */
export interface SignInAgain {
  /** Ids of the providers to show. */
  readonly providers: ReadonlySet<string>;
  /** Initial value of the email field. */
  readonly email: string | undefined;
  /** Code of the text above the ways to sign in. */
  readonly error: string;
}

/** The sign-in page with some of the providers. */
export async function signInPageWith(context: Context, { providers, email, error }: SignInAgain): Promise<Reply> {
  const { settings, callbackUrl, csrfToken, origin, basePath } = context;
  const { data } = await signInPageParts(settings, origin + basePath);
  // The user signs in, so no passkey is offered that would make another user.
  const shown = data.providers
    .filter(({ id }) => providers.has(id))
    .map((entry) => ({ ...entry, createsUsers: false }));
  return pageReply(signInView({ ...data, providers: shown, csrfToken, callbackUrl, email, error }));
}

/** The parts of the sign-in page that depend on the configuration alone. */
const signInPageParts = perBase(async (settings, base) => {
  const providers = providersOf(settings, base).map((provider) => entryOf(provider, base, settings));
  const passkeyScript = providers.some(({ type }) => type === 'webauthn') ? await passkeyScriptUrl(base) : undefined;
  const data = { theme: settings.theme, providers, passkeyScript };
  const { page, htmlFor } = signInTemplate(data);
  return { data, reply: await pageReply(page), htmlFor };
});

async function passkeyScriptUrl(base: string): Promise<string> {
  // Applications without passkeys do not load the script.
  const { passkeyScriptPath } = await import('./asset.ts');
  return passkeyScriptPath(trimmedPath(new URL(base).pathname));
}

/** The name of the user who is signed in. If the store is unavailable the page is shown without it. */
async function visitorName(context: Context): Promise<string | undefined> {
  try {
    const user = await currentUser(context, true);
    return user ? user.email || user.name || 'yourself' : undefined;
  } catch (error) {
    context.settings.logger.error(errorOf(error));
    return undefined;
  }
}

/** Values of wrong types are left out, so that one provider cannot break the page of the others. */
function entryOf(provider: ListedProvider, base: string, settings: Settings): SignInEntry {
  const { id, signinUrl, callbackUrl } = provider;
  const name = textOf(provider.name) || id;
  switch (provider.type) {
    case 'oauth':
    case 'oidc': {
      const { brandColor, bg, logo, icon } = provider.style ?? {};
      const style = { brandColor: textOf(brandColor ?? bg), logo: textOf(logo), icon: textOf(icon) };
      return { type: provider.type, id, name, signinUrl, ...style };
    }
    case 'credentials':
      return { type: 'credentials', id, name, callbackUrl, fields: fieldsOf(provider.credentials) };
    case 'email':
      return { type: 'email', id, name, signinUrl };
    case 'webauthn': {
      const { enableConditionalUI, formFields } = provider;
      const optionsUrl = `${base}/webauthn-options/${id}`;
      const autofill = Boolean(enableConditionalUI);
      // The application's hook may name users without an address.
      const createsUsers = provider.getUserInfo !== undefined || mayTypeAddress(settings, base, provider);
      const fields = fieldsOf(formFields);
      return { type: 'webauthn', id, name, callbackUrl, optionsUrl, autofill, fields, createsUsers };
    }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fieldsOf(fields: unknown): Record<string, CredentialInput> {
  if (!isRecord(fields)) return {};
  const inputs = Object.entries(fields).filter((entry): entry is [string, Plain] => isRecord(entry[1]));
  return Object.fromEntries(inputs.map(([key, input]) => [key, { ...input, label: textOf(input['label']) }]));
}

/** `GET signout`: asks for confirmation, or redirects to the application's own page. */
export async function signOutPage({ settings, csrfToken, callbackUrl, origin, basePath }: Context): Promise<Reply> {
  if (settings.pages.signOut) return { redirect: settings.pages.signOut };
  const base = origin + basePath;
  const urls = { signOutUrl: `${base}/signout`, sessionsUrl: settings.records && `${base}/sessions` };
  return pageReply(signOutView({ theme: settings.theme, csrfToken, callbackUrl, ...urls }));
}

/** `GET error`: explains an error to the visitor, or redirects to the application's own page. */
export async function errorPage({ settings, query, origin, basePath }: Context): Promise<Reply> {
  const { error } = query;
  const reference = isReference(query.reference) ? query.reference : undefined;
  if (settings.pages.error) return { redirect: pagePath(settings.pages.error, { error, reference }) };
  const signInUrl = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  const { page, status } = errorView({ theme: settings.theme, error, origin, signInUrl, reference });
  return pageReply({ ...page, status });
}

/** Is it a reference that this library has made? No other text may appear on a page that visitors trust. */
function isReference(reference: string | undefined): boolean {
  return reference !== undefined && /^[\da-f]{8}$/.test(reference);
}

/** The error page for errors that only the site's owner can correct. Their details appear in development only. */
export async function errorDetailPage(
  { settings, origin, basePath, call }: RoutedRequest,
  errors: readonly Error[],
  reference: string,
): Promise<Reply> {
  const { page, status } = errorView({
    theme: settings.theme,
    error: AuthError.shown,
    origin,
    signInUrl: `${origin}${basePath}/signin`,
    reference,
    ...(call.development && { details: errors.map(detailOf) }),
  });
  return pageReply({ ...page, status });
}

function detailOf(error: Error): ErrorDetail {
  if (!(error instanceof AuthError)) return { type: error.name, message: error.message };
  const { err } = error.cause ?? {};
  const from = err && !error.message.includes(err.message) ? ` (${err.message})` : '';
  return { type: error.type, message: `${error.message}${from}` };
}

/**
 * The page for a visitor who has made too many attempts: the sign-in page with the code. If that page is the
 * application's own, the error page redirects there after it is shown, because an HTTP redirect would lose the status
 * 429.
 */
export async function rateLimitedPage(context: Context, error: string, signInUrl: string): Promise<Reply> {
  const { settings, origin } = context;
  if (!settings.pages.signIn) return signInPage({ ...context, providerId: undefined, query: { error } });
  const reply = await pageReply(errorView({ theme: settings.theme, error, origin, signInUrl }).page);
  return { ...reply, headers: { ...reply.headers, refresh: `0; url=${new URL(signInUrl, origin).href}` } };
}
