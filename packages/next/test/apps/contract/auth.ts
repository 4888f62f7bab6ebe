import NextAuth from '@latchkey/next';
import { bindingConfig, bindingSetup } from '@latchkey/testing/binding-application';
import type { NextRequest } from 'next/server';

const config = bindingConfig(bindingSetup());

export const { handlers, auth, signIn, signOut, update } = NextAuth({
  ...config,
  callbacks: {
    ...config.callbacks,
    authorized: ({ auth, request }) => auth !== null || !isGuarded(request) || refusal(request),
  },
});

const isGuarded = ({ nextUrl }: NextRequest): boolean => /^\/(api\/)?guarded(\/|$)/.test(nextUrl.pathname);

/** A browser that opens a page goes to the sign-in page. Scripts and programs get no redirect. */
function refusal({ method, headers, nextUrl }: NextRequest): false | Response {
  const mode = headers.get('sec-fetch-mode');
  const opens = mode === null ? headers.get('accept')?.includes('text/html') : mode === 'navigate';
  const isPage = opens && ['GET', 'HEAD'].includes(method) && !nextUrl.pathname.startsWith('/api');
  return isPage ? false : Response.json({ message: 'Sign in first.' }, { status: 401 });
}
