import NextAuth from '@latchkey/next';
import { credentials } from './auth.ts';

/** The parameters of the function, in the order of the calls. */
export const given: string[] = [];

export const { handlers, auth, signIn } = NextAuth(async (request) => {
  given.push(request?.nextUrl.pathname ?? 'nothing');
  return { providers: [credentials], basePath: '/api/lazy/auth' };
});
