import type {
  AccountWay,
  ChangedWays,
  DefaultSession,
  EndedSessions,
  KitEvent,
  MailStatus,
  Session,
  SessionInfo,
} from '@latchkey/sveltekit';
import { defineConfig, SvelteKitAuth } from '@latchkey/sveltekit';
import { SignIn, type SignInCode, type SignOut } from '@latchkey/sveltekit/components';
import type { Action, Actions, RequestEvent } from '@sveltejs/kit';
import { type Handle, sequence } from '@sveltejs/kit/hooks';
import type { Component, ComponentProps } from 'svelte';
import type { Same } from '../../../core/test/types/assert.ts';

declare function is<T extends true>(_?: T): void;

const { handle, signIn, signOut, auth, update, pendingMail, sessions, account } = SvelteKitAuth({ providers: [] });

// The types that Kit needs.
const hook: Handle = handle;
export const hooks: Handle = sequence(hook, handle);
export const actions: Record<string, Action> = { signIn, signOut };

// Spellings of applications that were written for Auth.js. Kit gives a page the results of all its actions as `form`.
export const own = { default: signIn, leave: signOut } satisfies Actions;
export function problem(form: Awaited<ReturnType<(typeof own)['default']>> | null): string | undefined {
  return form?.error;
}
export const named: Actions = {
  async enter(event) {
    const result = await signIn(event);
    return { missing: result?.missing, url: result.url };
  },
};
is<Same<Awaited<ReturnType<typeof signIn>>['url'], string>>();

// The members of an event.
export async function load(event: RequestEvent): Promise<void> {
  is<Same<Awaited<ReturnType<typeof event.locals.auth>>, Session | null>>();
  is<Same<Awaited<ReturnType<typeof event.locals.getSession>>, Session | null>>();
  is<Same<Awaited<ReturnType<typeof auth>>, Session | null>>();
  await auth(event);
  await update(event, { name: 'Ada' });
  await signIn(event, new FormData());
  const mail = await pendingMail(event);
  is<Same<typeof mail, MailStatus | null>>();
  is<Same<keyof MailStatus, 'email' | 'code' | 'sentAt' | 'resendAt' | 'expires'>>();
  is<Same<MailStatus['code'], boolean>>();
  is<Same<MailStatus['resendAt'], string>>();
  await pendingMail(event, 'resend');
  const list = await sessions(event).list();
  is<Same<typeof list, SessionInfo[]>>();
  is<Same<Awaited<ReturnType<ReturnType<typeof account>['list']>>, AccountWay[]>>();
  const removed = await account(event).unlink('id');
  is<Same<typeof removed, ChangedWays>>();
  const url = await account(event).link('github', { redirect: false });
  is<Same<typeof url, string>>();
  const ended = await sessions(event).endOthers();
  is<Same<typeof ended, EndedSessions>>();
  const data: App.PageData = { session: await event.locals.auth() };
  data.session satisfies Session | null | undefined;
}

// The session has the type that `callbacks.session` returns.
const inferred = SvelteKitAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: String(token['role']) as 'admin' | 'guest' }) },
});
type Inferred = NonNullable<Awaited<ReturnType<typeof inferred.auth>>>;
is<Same<Inferred['role'], 'admin' | 'guest'>>();
is<Same<Inferred['expires'], string>>();
is<Same<Awaited<ReturnType<typeof inferred.update>>, Inferred | null>>();
// As an application writes it into its `app.d.ts`.
interface Locals extends App.Locals {
  auth: () => ReturnType<typeof inferred.auth>;
}
is<Same<NonNullable<Awaited<ReturnType<Locals['auth']>>>['role'], 'admin' | 'guest'>>();

// A configuration in a variable.
const config = defineConfig({
  providers: [],
  session: { strategy: 'jwt' },
  callbacks: { session: ({ session }) => ({ ...session, plan: 'free' as const }) },
});
const defined = SvelteKitAuth(config);
is<Same<NonNullable<Awaited<ReturnType<typeof defined.auth>>>['plan'], 'free'>>();

// A function of Kit's event, or of what we use of it.
const byEvent = SvelteKitAuth(async (event) => {
  is<Same<typeof event, RequestEvent>>();
  return { providers: [], callbacks: { session: ({ session }) => ({ ...session, plan: 'free' as const }) } };
});
is<Same<NonNullable<Awaited<ReturnType<typeof byEvent.auth>>>['plan'], 'free'>>();
const byOurEvent = SvelteKitAuth((event: KitEvent) => ({ providers: [], basePath: `/${event.url.host}` }));
export const ours: Handle = byOurEvent.handle;
export const withEnv = SvelteKitAuth({ providers: [] }, { AUTH_SECRET: 'secret', AUTH_URL: undefined });

// @ts-expect-error: no configuration
SvelteKitAuth({});
// @ts-expect-error: `raw` is not the application's
SvelteKitAuth({ providers: [], raw: Symbol('raw') });
// @ts-expect-error: a session without `expires`
SvelteKitAuth({ providers: [], callbacks: { session: () => ({ user: {} }) } }) satisfies {
  auth: unknown;
  no: DefaultSession;
};

// Components.
SignIn satisfies Component<never>;
export const props: ComponentProps<typeof SignIn> = {
  provider: 'github',
  options: { redirectTo: '/', redirect: false },
  authorizationParams: [['prompt', 'login']],
  id: 'sign-in',
  'data-test': true,
};
export const codeProps: ComponentProps<typeof SignInCode>[] = [{}, { provider: 'resend', signInPage: 'check-mail' }];
export const hereOnly: ComponentProps<typeof SignOut> = { options: { provider: false } };
// @ts-expect-error: not an address
export const wrong: ComponentProps<typeof SignOut> = { options: { redirectTo: 1 } };
