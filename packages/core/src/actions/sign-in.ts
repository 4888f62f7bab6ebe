import { providerOf, providersOf, type ResolvedProvider } from '../config/provider.ts';
import { perBase } from '../config/settings.ts';
import type { Context, Reply, RoutedRequest } from '../context.ts';
import { AuthError, CallbackRouteError, errorOf, InvalidProvider, RateLimited } from '../errors.ts';
import { lazily } from '../lazy.ts';
import { type Resume, requireStore } from '../linking/sign-in.ts';
import type { PublicProvider } from '../types/provider.ts';
import { credentialsCallback } from './credentials.ts';
import { requireUsable } from './provider-problems.ts';
import { tooManyReply } from './rate-limited.ts';
import { wantsUrl } from './replies.ts';

const oauth = lazily(() => import('./oauth.ts'));
const email = lazily(() => import('./email.ts'));
const code = lazily(() => import('./code.ts'));
const step = lazily(() => import('./signin-step.ts'));
const webauthn = lazily(() => import('./webauthn.ts'));

/** `GET providers`: the public facts of each provider, by id. */
export async function providers({ settings, origin, basePath }: RoutedRequest): Promise<Reply> {
  const json = providerList(settings, origin + basePath);
  return { headers: { 'content-type': 'application/json' }, json, bare: true };
}

const providerList = perBase((settings, base) => {
  const list = providersOf(settings, base).map(({ id, name, type, signinUrl, callbackUrl }) => {
    const entry: PublicProvider = { id, name, type, signinUrl, callbackUrl };
    return [id, entry] as const;
  });
  return JSON.stringify(Object.fromEntries(list));
});

/**
 * `POST signin[/<provider>]`: starts a sign-in. With an address or a name and without a provider, the reply is the next
 * step of the built-in page. Otherwise, and for providers whose form is on the sign-in page (credentials, passkeys),
 * the reply leads to that page.
 */
export async function signIn(context: Context): Promise<Reply> {
  const page: Reply = { redirect: `${context.origin}${context.basePath}/signin` };
  if (context.providerId === undefined) return (await nextStep(context)) ?? page;
  const provider = requireProvider(context);
  await requireStore(context, provider.type);
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return (await oauth()).startOAuth(context, provider);
    case 'email':
      return (await email()).startEmail(context, provider);
    default:
      return page;
  }
}

async function nextStep(context: Context): Promise<Reply | undefined> {
  const { body, incoming, settings } = context;
  if (body['identifier'] === undefined || settings.pages.signIn || wantsUrl(incoming)) return undefined;
  return (await step()).signInStep(context);
}

/**
 * `GET` or `POST callback/<provider>`: finishes a sign-in. The visitor comes back from a provider, opens a mailed
 * link, posts credentials, or has used a passkey.
 */
export async function callback(context: Context): Promise<Reply> {
  const provider = requireProvider(context);
  try {
    switch (provider.type) {
      case 'oauth':
      case 'oidc':
        return await (await oauth()).oauthCallback(context, provider);
      case 'email':
        return await (await email()).emailCallback(context, provider, resume);
      case 'credentials':
        return await credentialsCallback(context, provider);
      case 'webauthn':
        return await (await webauthn()).webauthnCallback(context, provider);
    }
  } catch (error) {
    // A mail was to confirm an address.
    if (error instanceof RateLimited) return tooManyReply(context, error);
    throw error instanceof AuthError ? error : new CallbackRouteError(errorOf(error), { provider: provider.id });
  }
}

/** `POST code/<provider>`: finishes a sign-in with the code in a mail. */
export async function mailedCode(context: Context): Promise<Reply> {
  const provider = requireProvider(context);
  if (provider.type !== 'email') throw new InvalidProvider('the provider mails no codes', { provider: provider.id });
  return (await code()).mailedCode(context, provider, resume);
}

/** Continues the sign-in for which a mail has proven the address. */
const resume: Resume = async (context, proven) => {
  const provider = requireProvider({ ...context, providerId: proven.resume.provider });
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return (await oauth()).resumeOAuth(context, provider, proven);
    case 'webauthn':
      return (await webauthn()).resumeRegistration(context, provider, proven);
    default:
      throw new InvalidProvider('the provider does not wait for the proof of an address', { provider: provider.id });
  }
};

/** `GET webauthn-options/<provider>`: what a browser needs to use or create a passkey. */
export async function webauthnOptions(context: Context): Promise<Reply> {
  const provider = requireProvider(context);
  if (provider.type !== 'webauthn')
    throw new InvalidProvider('the provider does not use passkeys', { provider: provider.id });
  await requireStore(context, provider.type);
  return (await webauthn()).passkeyOptions(context, provider);
}

/**
 * Does a form of this site post to the callback? OAuth providers post from their own site without a CSRF token;
 * `state` and the code verifier protect their callbacks.
 */
export function isOwnForm(context: Context): boolean {
  const { settings, providerId, origin, basePath } = context;
  const provider = providersOf(settings, origin + basePath).find(({ id }) => id === providerId);
  return provider !== undefined && provider.type !== 'oauth' && provider.type !== 'oidc';
}

/**
 * The provider that the path names.
 *
 * @throws {InvalidProvider} if it names none, or one that is not configured.
 * @throws {AuthError} if its configuration has a problem.
 */
function requireProvider(context: Context): ResolvedProvider {
  const { settings, providerId, origin, basePath } = context;
  const provider = providerId === undefined ? undefined : providerOf(settings, providerId, origin + basePath);
  if (provider) {
    // A form or a cookie may name it in the place of the path.
    requireUsable(context, provider.id);
    return provider;
  }
  throw new InvalidProvider('the path names no configured provider', { provider: providerId });
}
