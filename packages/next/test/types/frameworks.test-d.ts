import NextAuth, { type Session } from '@latchkey/next';
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
exactly<Promise<string>>()(signIn('github', { redirect: false }));
