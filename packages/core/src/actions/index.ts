import { lazily } from '../config/lazy.ts';
import type { Context, Reply, RouteAction } from '../context.ts';
import type { Awaitable } from '../types.ts';
import { callback, isOwnForm } from './callback.ts';
import { csrf } from './csrf.ts';
import { providers } from './providers.ts';
import { signOut } from './signout.ts';
import { updateSession } from './update-session.ts';

/** One action: a request that passed the guards becomes a reply. */
export type Action = (context: Context) => Awaitable<Reply>;

/** How an action is reached. */
export interface ActionRoute {
  /** Imports the action; nothing of it is loaded before somebody asks. */
  readonly load: () => Awaitable<Action>;
  /** The request must prove by our token that it comes from one of our forms; a function looks at the provider first. */
  readonly csrf?: boolean | ((context: Context) => boolean) | undefined;
  /** The answer is the same for everybody: it looks at no cookie and sets none. */
  readonly bare?: boolean | undefined;
}

/** Which action answers which method. */
export const actions: Readonly<Record<RouteAction, Partial<Record<'GET' | 'POST', ActionRoute>>>> = {
  // What is as small as this table comes with it. `GET` is answered by `auth.ts` itself: nearly every request asks for that.
  session: { POST: { load: () => updateSession, csrf: true } },
  csrf: { GET: { load: () => csrf } },
  providers: { GET: { load: () => providers, bare: true } },
  signin: {
    GET: { load: lazily(async () => (await import('./signin-page.ts')).signInPage) },
    POST: { load: lazily(async () => (await import('./signin.ts')).signIn), csrf: true },
  },
  callback: {
    GET: { load: () => callback },
    // A provider posts from its own site, without our token; its checks are state and code verifier.
    POST: {
      load: () => callback,
      csrf: isOwnForm,
    },
  },
  signout: {
    GET: { load: lazily(async () => (await import('./signout-page.ts')).signOutPage) },
    POST: { load: () => signOut, csrf: true },
  },
  error: { GET: { load: lazily(async () => (await import('./error-page.ts')).errorPage) } },
  'verify-request': { GET: { load: lazily(async () => (await import('./verify-request-page.ts')).verifyRequestPage) } },
  'webauthn-options': { GET: { load: lazily(async () => (await import('./webauthn-options.ts')).webauthnOptions) } },
  asset: { GET: { load: lazily(async () => (await import('./asset.ts')).asset), bare: true } },
};
