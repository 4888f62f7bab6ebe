import type { NormalProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { type SignInEntry, signInPage as view } from '../views/sign-in.ts';
import { pageReply } from '../wire/page.ts';
import { pagePath } from './page-path.ts';

/** `GET signin`: the sign-in page, or the way to the application's own. */
export async function signInPage(context: Context): Promise<Reply> {
  const { settings, query, callbackUrl, csrfToken, origin, basePath, providerId } = context;
  // A sign-in starts by a form only: anything may follow a link, an image tag too. People who do find the form.
  if (providerId !== undefined) return { redirect: `${origin}${basePath}/signin` };
  const { error, code, email } = query;
  if (settings.pages.signIn) return { redirect: pagePath(settings.pages.signIn, { callbackUrl, error }) };
  const entries = settings.providers(origin + basePath).flatMap(entryOf);
  return pageReply(view({ theme: settings.theme, csrfToken, callbackUrl, error, code, email, providers: entries }));
}

function entryOf(provider: NormalProvider): SignInEntry[] {
  const { id, name, signinUrl, callbackUrl } = provider;
  switch (provider.type) {
    case 'oauth':
    case 'oidc': {
      const { brandColor, bg, logo, icon } = provider.style ?? {};
      return [{ type: provider.type, id, name, signinUrl, brandColor: brandColor ?? bg, logo, icon }];
    }
    case 'credentials':
      return [{ type: 'credentials', id, name, callbackUrl, fields: provider.credentials }];
    case 'email':
      return [{ type: 'email', id, name, signinUrl }];
    default:
      return [];
  }
}
