import { trimmedPath } from '../config/base-path.ts';
import { errorOf } from '../config/hooks.ts';
import { perBase } from '../config/per-base.ts';
import type { NormalProvider } from '../config/provider.ts';
import { providersOf } from '../config/providers.ts';
import type { Context, Reply } from '../context.ts';
import { strategyOf } from '../session/strategy.ts';
import { type SignInEntry, signInTemplate, signInPage as view } from '../views/sign-in.ts';
import { pageReply } from '../wire/page.ts';
import { pagePath } from './page-path.ts';

/** `GET signin`: the sign-in page, or the way to the application's own. */
export async function signInPage(context: Context): Promise<Reply> {
  const { settings, query, callbackUrl, csrfToken, origin, basePath, providerId } = context;
  // A sign-in starts by a form only: anything may follow a link, an image tag too. People who do find the form.
  if (providerId !== undefined) return { redirect: `${origin}${basePath}/signin` };
  const { error, code, email } = query;
  if (settings.pages.signIn) return { redirect: pagePath(settings.pages.signIn, { callbackUrl, error }) };
  const { data, reply, htmlFor } = await pageOf(settings, origin + basePath);
  const visitor = data.passkeyScript === undefined ? undefined : await visitorOf(context);
  const visit = { csrfToken, callbackUrl, error, code, email };
  if (visitor !== undefined) return pageReply(view({ ...data, ...visit, visitor }));
  return { ...reply, body: htmlFor(visit) };
}

/** The page as far as the configuration determines it. */
const pageOf = perBase(async (settings, base) => {
  const providers = providersOf(settings, base).map((provider) => entryOf(provider, base));
  const passkeyScript = providers.some(({ type }) => type === 'webauthn') ? await scriptBelow(base) : undefined;
  const data = { theme: settings.theme, providers, passkeyScript };
  const { page, htmlFor } = signInTemplate(data);
  return { data, reply: await pageReply(page), htmlFor };
});

async function scriptBelow(base: string): Promise<string> {
  const { passkeyScriptPath } = await import('./asset.ts');
  return passkeyScriptPath(trimmedPath(new URL(base).pathname));
}

/** The name of whoever is signed in. A store that is down is no reason to show no page: other ways may need none. */
async function visitorOf(context: Context): Promise<string | undefined> {
  try {
    const user = await (await strategyOf(context.settings)).currentUser(context, true);
    return user ? user.email || user.name || 'yourself' : undefined;
  } catch (error) {
    await context.settings.logger.error(errorOf(error));
    return undefined;
  }
}

function entryOf(provider: NormalProvider, base: string): SignInEntry {
  const { id, name, signinUrl, callbackUrl } = provider;
  switch (provider.type) {
    case 'oauth':
    case 'oidc': {
      const { brandColor, bg, logo, icon } = provider.style ?? {};
      return { type: provider.type, id, name, signinUrl, brandColor: brandColor ?? bg, logo, icon };
    }
    case 'credentials':
      return { type: 'credentials', id, name, callbackUrl, fields: provider.credentials };
    case 'email':
      return { type: 'email', id, name, signinUrl };
    case 'webauthn': {
      const { enableConditionalUI: autofill, formFields: fields } = provider;
      const optionsUrl = `${base}/webauthn-options/${id}`;
      return { type: 'webauthn', id, name, callbackUrl, optionsUrl, autofill, fields };
    }
  }
}
