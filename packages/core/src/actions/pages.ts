import { pagePath } from '../config/paths.ts';
import { type ListedProvider, providersOf } from '../config/provider.ts';
import { perBase, type Settings } from '../config/settings.ts';
import type { Context, Reply, RoutedRequest } from '../context.ts';
import { AuthError, errorOf } from '../errors.ts';
import { mayTypeAddress } from '../linking/unproven.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import type { CredentialInput } from '../providers/credentials.ts';
import { currentUser } from '../session/session.ts';
import type { MarkPath } from '../types/provider.ts';
import { type ErrorDetail, errorPage as errorView } from '../views/error.ts';
import { type SignInEntry, signInTemplate, signInPage as signInView } from '../views/sign-in.ts';
import { pageReply } from '../wire/page.ts';

/** `GET signin`: the sign-in page, or a redirect to the application's own. */
export async function signInPage(context: Context): Promise<Reply> {
  const { settings, query, callbackUrl, csrfToken, origin, basePath, providerId } = context;
  // A sign-in starts with a form only, because links and image tags can make a browser send a GET.
  if (providerId !== undefined) return { redirect: `${origin}${basePath}/signin` };
  const { error, code, email } = query;
  if (settings.pages.signIn) return { redirect: pagePath(settings.pages.signIn, { callbackUrl, error }) };
  const { data, reply, htmlFor } = await signInPageParts(settings, origin + basePath);
  const visitor = data.passkeyScript === undefined ? undefined : await visitorName(context);
  const visit = { csrfToken, callbackUrl, error, code, email };
  if (visitor !== undefined) return pageReply({ ...signInView({ ...data, ...visit, visitor }), connects: true });
  return { ...reply, body: htmlFor(visit) };
}

/** The parts of the sign-in page that depend on the configuration alone. */
const signInPageParts = perBase(async (settings, base) => {
  const providers = providersOf(settings, base).map((provider) => entryOf(provider, base, settings));
  const passkeyScript = providers.some(({ type }) => type === 'webauthn') ? await passkeyScriptUrl(base) : undefined;
  const data = { theme: settings.pageTheme, providers, passkeyScript };
  const { page, htmlFor } = signInTemplate(data);
  return { data, reply: await pageReply({ ...page, connects: passkeyScript !== undefined }), htmlFor };
});

async function passkeyScriptUrl(base: string): Promise<string> {
  // Applications without passkeys do not load the script.
  const { scriptUrl } = await import('./asset.ts');
  return scriptUrl(base, 'passkey.js');
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
      const style = { brandColor: textOf(brandColor ?? bg), logo: textOf(logo), icon: markOf(icon) };
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

/** `GET error`: explains an error to the visitor, or redirects to the application's own page. */
export async function errorPage({ settings, query, origin, basePath }: Context): Promise<Reply> {
  const { error } = query;
  const reference = isReference(query.reference) ? query.reference : undefined;
  if (settings.pages.error) return { redirect: pagePath(settings.pages.error, { error, reference }) };
  const signInUrl = settings.pages.signIn ?? `${origin}${basePath}/signin`;
  const { page, status } = errorView({ theme: settings.pageTheme, error, origin, signInUrl, reference });
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
    theme: settings.pageTheme,
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
  const reply = await pageReply(errorView({ theme: settings.pageTheme, error, origin, signInUrl }).page);
  return { ...reply, headers: { ...reply.headers, refresh: `0; url=${new URL(signInUrl, origin).href}` } };
}
