import { type AccountActor, readActor } from '../account/actor.ts';
import { roomBeside } from '../account/limit.ts';
import { canMail } from '../account/notices.ts';
import { isRecent } from '../account/recent.ts';
import { accountUrl, partUrl, urlToSignInAgain } from '../account/urls.ts';
import { listWays } from '../account/ways.ts';
import { hasAccountPage } from '../config/account-page.ts';
import { languageOf } from '../config/language.ts';
import { pagePath } from '../config/paths.ts';
import { type ListedProvider, providersOf } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import type { AccountPageData, ListedWay } from '../views/account/data.ts';
import { accountPage } from '../views/account/page.ts';
import { pageReply } from '../wire/page.ts';
import { signInFirst } from './add-account.ts';

/** `GET account`: the page on which the visitor manages the own account, or a redirect to the application's own. */
export async function accountPageReply(context: Context): Promise<Reply> {
  const { settings } = context;
  if (!hasAccountPage(settings)) {
    throw new UnknownAction('`account.page` is false, so there is no page of the account');
  }
  const actor = await readActor(context);
  if (!actor) return signInFirst(context, accountUrl(context));
  if (settings.pages.account) return { redirect: settings.pages.account };
  return pageReply(accountPage(await pageData(actor)));
}

async function pageData(actor: AccountActor): Promise<AccountPageData> {
  const { context, settings, account, store, user } = actor;
  const { origin, basePath, csrfToken, query } = context;
  const providers = providersOf(settings, origin + basePath);
  const ways = store.listAccountsByUserId && (await listWays(actor));
  const kinds = ways?.map(({ kind }) => kind) ?? [];
  const pageUrl = accountUrl(context);
  const passkeyUrl = pagePath(`${origin}${basePath}/signin`, { add: '', callbackUrl: pageUrl });
  return {
    ...{ theme: settings.pageTheme, origin, csrfToken, accountUrl: pageUrl, user },
    language: await languageOf(context),
    partUrl: (part) => partUrl(context, part),
    ways: ways?.map((way): ListedWay => ({ ...way, name: providerName(providers, way.provider) })),
    canUnlink: store.unlinkAccountIfNotLast !== undefined,
    addable: providers
      .filter(({ id, type }) => (type === 'oauth' || type === 'oidc') && !ways?.some((way) => way.provider === id))
      .map(({ id }) => ({ id, name: providerName(providers, id) ?? id })),
    canAddAccount: roomBeside(kinds, 'oauth') > 0,
    canAddPasskey: roomBeside(kinds, 'webauthn') > 0,
    passkeyUrl: providers.some(({ type }) => type === 'webauthn') ? passkeyUrl : undefined,
    canRename: store.updateAuthenticator !== undefined,
    sessionsUrl: settings.records && (settings.pages.sessions ?? `${origin}${basePath}/sessions`),
    canChangeAddress: !account.without.has('email') && canMail(context),
    canExport: !account.without.has('export'),
    canDelete: !account.without.has('delete'),
    signInAgainUrl: (await isRecent(actor)) ? undefined : urlToSignInAgain(context),
    done: query['done'],
    error: query['error'],
  };
}

function providerName(providers: readonly ListedProvider[], id: string | undefined): string | undefined {
  const provider = providers.find((one) => one.id === id);
  return provider && String(provider.name || provider.id);
}
