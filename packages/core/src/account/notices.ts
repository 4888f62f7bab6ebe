import { defaults } from '../config/defaults.ts';
import { languageOf } from '../config/language.ts';
import { type ListedProvider, nameOfProvider, providersOf } from '../config/provider.ts';
import type { Context } from '../context.ts';
import { readAgent } from '../entry/agent.ts';
import { AuthError, errorOf } from '../errors.ts';
import { isMailable } from '../identity/email/address.ts';
import { type MailLink, type NoticedWay, type SecurityNotice, securityMail } from '../mail/security.ts';
import { sendMail } from '../mail/transport.ts';
import type { Store } from '../store/store.ts';
import type { AdapterAccount, AdapterUser } from '../types/adapter.ts';
import type { EmailConfig } from '../types/provider.ts';
import type { ProviderType } from '../types/user.ts';
import { issueStatement, type StatementContent } from './statement.ts';
import { partUrl } from './urls.ts';
import { wayId } from './ways.ts';

/**
 * Mails a notice about a change to a user. A failure is logged: the change has happened. Nothing is sent with
 * `account.without: ['mails']`, or to a user without an address.
 *
 * @param to The address of the user, before the change.
 */
export async function notify(context: Context, to: unknown, notice: SecurityNotice): Promise<void> {
  if (!sendsNotices(context) || !isMailable(to)) return;
  try {
    await mailAbout(context, to, notice);
  } catch (error) {
    context.settings.logger.error(
      new AuthError('a notice about a change of an account was not sent', { err: errorOf(error) }),
    );
  }
}

function sendsNotices({ settings: { account } }: Context): boolean {
  return account !== undefined && !account.without.has('mails');
}

/**
 * Sends a mail about an account.
 *
 * @throws {Error} if it cannot be sent.
 */
export async function mailAbout(context: Context, to: string, notice: SecurityNotice): Promise<void> {
  const { settings, origin, now, incoming } = context;
  const asked = { at: now, ...readAgent(incoming.header('user-agent')) };
  const provider = mailProvider(context);
  const language = await languageOf(context);
  const mail = securityMail({ to, origin, theme: settings.theme, language, asked, notice });
  const { mail: options } = settings.config;
  await sendMail({ options, provider, url: origin, siteName: settings.theme.name }, mail);
}

/** Can mails about accounts be sent? Without them, an address cannot be changed. */
export function canMail(context: Context): boolean {
  return context.settings.config.mail?.send !== undefined || mailProvider(context) !== undefined;
}

function mailProvider({ settings, origin, basePath }: Context): EmailConfig | undefined {
  return providersOf(settings, origin + basePath).find(hasSender);
}

function hasSender(provider: ListedProvider): provider is ListedProvider & EmailConfig {
  return provider.type === 'email' && provider.sendMail !== undefined;
}

/** Mails that a way to sign in was added. The notice has a link that removes it, if the adapter can do that. */
export async function notifyWayAdded(
  context: Context,
  store: Store,
  user: Pick<AdapterUser, 'id' | 'email'>,
  account: AddedAccount,
): Promise<void> {
  if (!sendsNotices(context) || !isMailable(user.email)) return;
  const canUndo = store.listAccountsByUserId && store.unlinkAccountIfNotLast;
  const undo = { userId: String(user.id), what: 'way', to: '', verified: null, proven: null } as const;
  const link = canUndo && (await undoLink(context, store, { ...undo, from: await wayId(account) }));
  await notify(context, user.email, { kind: 'wayAdded', way: noticedWay(context, account), link });
}

/** Mails that a way to sign in was removed. */
export async function notifyWayRemoved(context: Context, user: AdapterUser, account: AddedAccount): Promise<void> {
  await notify(context, user.email, { kind: 'wayRemoved', way: noticedWay(context, account) });
}

/** The members of an account that a notice is about. */
interface AddedAccount extends Pick<AdapterAccount, 'provider' | 'providerAccountId'> {
  readonly type: ProviderType;
  /** Address or name at the provider. */
  readonly label?: string | null | undefined;
}

/** Attackers control labels, so only email addresses are shown. */
function noticedWay({ settings, origin, basePath }: Context, { provider, type, label }: AddedAccount): NoticedWay {
  return {
    isPasskey: type === 'webauthn',
    provider: nameOfProvider(settings, provider, origin + basePath) ?? provider,
    address: isMailable(label) ? label : undefined,
  };
}

/**
 * Returns the link that undoes a change. A failure of the store is logged: the notice is more important than its link.
 */
export async function undoLink(
  context: Context,
  store: Store,
  content: StatementContent,
): Promise<MailLink | undefined> {
  try {
    const statement = await issueStatement(context, store, content);
    if (statement === undefined) return undefined;
    const url = `${partUrl(context, 'undo')}?${new URLSearchParams({ statement })}`;
    return { url, seconds: defaults.account.undo, secret: statement };
  } catch (error) {
    context.settings.logger.error(errorOf(error));
    return undefined;
  }
}
