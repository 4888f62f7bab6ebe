import NextAuth, { defineConfig, type NextAuthConfig, type Session } from '@latchkey/next';
import type { GetServerSideProps, NextApiHandler, NextApiRequest, NextApiResponse } from 'next';
import {
  type NextFetchEvent,
  type NextMiddleware,
  type NextProxy,
  type NextRequest,
  NextResponse,
} from 'next/server.js';
import { exactly } from '../../../core/test/types/assert.ts';

const { auth, handlers, signIn, signOut } = NextAuth({ providers: [] });

/** As Next checks the exports of a route.ts. */
type AppRoute<C> = (request: NextRequest, context: C) => void | Response | Promise<void | Response>;

handlers.GET satisfies AppRoute<{ params: Promise<{ nextauth: string[] }> }>;
handlers.POST satisfies AppRoute<{ params: Promise<{ nextauth: string[] }> }>;
auth(async () => Response.json({})) satisfies AppRoute<{ params: Promise<Record<string, never>> }>;
auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  exactly<Session | null>()(request.auth);
  return NextResponse.json(await params);
}) satisfies AppRoute<{ params: Promise<{ id: string }> }>;

auth satisfies NextMiddleware;
auth satisfies NextProxy;
auth((request) => (request.auth ? undefined : NextResponse.redirect(new URL('/', request.url)))) satisfies NextProxy;
auth((_request, event: NextFetchEvent) => event.waitUntil(Promise.resolve())) satisfies NextProxy;
const composed: NextProxy = (request, event) => auth(request, event);
void composed;

const api: NextApiHandler = async (request, response) => response.json(await auth(request, response));
void api;
const props: GetServerSideProps<{ session: Session | null }> = async (context) => ({
  props: { session: await auth(context) },
});
void props;
declare const request: NextApiRequest;
declare const response: NextApiResponse;
const inRoute = auth(request, response);
exactly<Promise<Session | null>>()(inRoute);

// Actions of forms.
const actions: ((form: FormData) => Promise<unknown>)[] = [
  (form) => signIn('credentials', form),
  (form) => signIn('nodemailer', { email: form.get('email'), redirectTo: '/', redirect: false }),
  () => signIn(),
  () => signIn('github', undefined, { prompt: 'consent' }),
  () => signOut({ redirectTo: '/' }),
];
void actions;

// Spellings of applications that were written for Auth.js.
export const enter = async (): Promise<Response> => signIn('github', { redirectTo: '/account' });
export const leave = async (): Promise<Response> => {
  return signOut({ redirectTo: '/' });
};
enter satisfies AppRoute<{ params: Promise<Record<string, never>> }>;
/** An interface has no index signature. */
interface Login {
  email: string;
  password: string;
}
export async function login(_state: string | undefined, form: FormData): Promise<string | undefined> {
  const result = await signIn('credentials', { ...Object.fromEntries(form), redirect: false });
  if (result?.error) return result.error;
  const there: string = await signIn('nodemailer', { email: form.get('email'), redirect: false, redirectTo: '/' });
  if (URL.canParse(there)) return undefined;
  return signIn('credentials', form);
}
export const withLogin = (login: Login) => signIn('credentials', login);
export const withParams = (params: string[][]) => signIn('github', { redirectTo: '/' }, params);
export const byId = (id: string | undefined) => signIn(id);
export const explicit = () => signIn<'github', false>('github', { redirect: false });
export const wrapped: typeof signIn = (provider, options, params) => signIn(provider, options, params);
export async function exit(): Promise<string> {
  const { redirect } = await signOut({ redirect: false });
  return redirect;
}
export const hereOnly = () => signOut({ provider: false, redirectTo: '/' });
const going = signIn('github');
exactly<Promise<never>>()(going);
const sending = signIn('credentials', new FormData());
exactly<Promise<never>>()(sending);
const leaving = signOut();
exactly<Promise<never>>()(leaving);

// A configuration in a variable.
const config = defineConfig({
  providers: [],
  session: { strategy: 'jwt' },
  callbacks: {
    authorized: ({ auth: session }) => session !== null,
    session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? ('admin' as const) : ('user' as const) }),
  },
});
config satisfies NextAuthConfig;
const defined = NextAuth(config);
export const role = async (): Promise<'admin' | 'user' | undefined> => (await defined.auth())?.role;
const widened = { providers: [], session: { strategy: 'jwt' } };
// @ts-expect-error: `strategy` is any string
NextAuth(widened);
// @ts-expect-error: there is no such option
defineConfig({ providers: [], sesion: { strategy: 'jwt' } });
const plain = NextAuth(defineConfig({ providers: [] })).auth();
exactly<Promise<Session | null>>()(plain);
