import type { Action, Context, Reply, RoutedRequest } from '../context.ts';
import { lazily } from '../lazy.ts';
import { accountPartNames } from './account-part-names.ts';
import { csrf } from './csrf.ts';
import { scriptNames } from './script-names.ts';
import { readSession, updateSession } from './session.ts';
import { signOut } from './signout.ts';

// Most requests read a session. Everything else is imported at its first request.
const signIn = lazily(() => import('./sign-in.ts'));
const signInPages = lazily(() => import('./sign-in-page.ts'));
const pages = lazily(() => import('./pages.ts'));
const account = lazily(() => import('./account.ts'));
const pendingMail = lazily(() => import('./verify-request-page.ts'));

type BareAction = (request: RoutedRequest) => Promise<Reply>;

/**
 * The route table: the one list of the actions. A new action is one function and one row here.
 *
 * Each row has the methods that the action answers, and how it is imported. It also says whether a segment may follow
 * the action's name in the path, and whether a form must prove its origin. Actions that use no provider say so.
 */
export const routes = {
  session: {
    GET: { load: (): Action => readSession, readsSession: true, withoutProviders: true },
    POST: { load: (): Action => updateSession, csrf: true, withoutProviders: true },
  },
  csrf: {
    GET: { load: (): Action => csrf, withoutProviders: true },
  },
  providers: {
    GET: { load: async (): Promise<BareAction> => (await signIn()).providers, bare: true },
  },
  signin: {
    takes: 'provider',
    GET: { load: async (): Promise<Action> => (await signInPages()).signInPage, page: true },
    POST: { load: async (): Promise<Action> => (await signIn()).signIn, csrf: true },
  },
  callback: {
    takes: 'provider',
    GET: { load: async (): Promise<Action> => (await signIn()).callback },
    POST: {
      load: async (): Promise<Action> => (await signIn()).callback,
      csrf: async (context: Context): Promise<boolean> => (await signIn()).isOwnForm(context),
    },
  },
  signout: {
    GET: { load: async (): Promise<Action> => (await import('./signout-page.ts')).signOutPage, page: true },
    POST: { load: (): Action => signOut, csrf: true },
  },
  error: {
    GET: { load: async (): Promise<Action> => (await pages()).errorPage, page: true },
  },
  'verify-request': {
    GET: { load: async (): Promise<Action> => (await pendingMail()).verifyRequestPage, page: true },
  },
  // Only the page `verify-request` and the applications' own in its place ask for it, so it is not an `AuthAction`.
  code: {
    takes: 'provider',
    GET: { load: async (): Promise<Action> => (await pendingMail()).pendingMailStatus, withoutProviders: true },
    POST: { load: async (): Promise<Action> => (await signIn()).mailedCode, csrf: true },
  },
  // Not an `AuthAction`: it exists only with the option.
  sessions: {
    option: 'session.records',
    GET: { load: async (): Promise<Action> => (await import('./sessions.ts')).showSessions, page: true },
    POST: {
      load: async (): Promise<Action> => (await import('./sessions.ts')).endSessions,
      csrf: true,
      withoutProviders: true,
    },
  },
  // Not an `AuthAction`: it exists only with the option. `account-parts.ts` has the parts.
  account: {
    takes: 'part',
    parts: accountPartNames as readonly string[],
    option: 'account',
    GET: { load: async (): Promise<Action> => (await account()).showAccount, page: true },
    POST: { load: async (): Promise<Action> => (await account()).changeAccount, csrf: true },
  },
  // Not an `AuthAction`: only providers, and visitors who come back from them, open it.
  logout: {
    takes: 'provider',
    option: 'logout',
    bodyLimit: 'logoutBody',
    GET: { load: async (): Promise<Action> => (await import('./logout.ts')).afterLogout, withoutProviders: true },
    POST: { load: async (): Promise<BareAction> => (await import('./logout.ts')).backchannelLogout, bare: true },
  },
  // Not an `AuthAction`: it exists only with `linking: 'guided'`, and the library itself leads visitors there.
  offer: {
    option: 'linking',
    GET: { load: async (): Promise<Action> => (await import('./offer.ts')).offerPage, page: true },
    POST: { load: async (): Promise<Action> => (await import('./offer.ts')).answerOffer, csrf: true },
  },
  // Not an `AuthAction`: it exists only in development.
  explain: {
    option: 'development',
    GET: { load: async (): Promise<Action> => (await import('./explain.ts')).explainPage, page: true },
  },
  'webauthn-options': {
    takes: 'provider',
    GET: { load: async (): Promise<Action> => (await signIn()).webauthnOptions },
  },
  // Only the built-in pages ask for it, so it is not an `AuthAction`.
  asset: {
    takes: 'file',
    parts: scriptNames as readonly string[],
    GET: { load: async (): Promise<BareAction> => (await import('./asset.ts')).asset, bare: true },
  },
} as const;

/** Actions that applications do not link to. */
type InnerAction = 'asset' | 'code' | 'sessions' | 'account' | 'logout' | 'offer' | 'explain';

/** The actions of the library, the first path segment after the base path. */
export type AuthAction = Exclude<keyof typeof routes, InnerAction>;

const inner: ReadonlySet<string> = new Set<InnerAction>([
  'asset',
  'code',
  'sessions',
  'account',
  'logout',
  'offer',
  'explain',
]);

/**
 * Is it the name of an action?
 *
 * ```ts
 * isAuthAction('signin'); // true
 * ```
 */
export function isAuthAction(action: string): action is AuthAction {
  return Object.hasOwn(routes, action) && !inner.has(action);
}
