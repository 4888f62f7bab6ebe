import { auth, signIn, signOut } from './auth.ts';

/** Calls the functions that look for the current request themselves. */
export default auth(async (request) => {
  const name = async () => (await auth())?.user?.name ?? null;
  switch (request.nextUrl.pathname) {
    case '/look':
      return Response.json({ given: request.auth?.user?.name ?? null, found: await name() });
    case '/enter':
      return Response.json({
        to: await signIn('credentials', { name: 'Grace', password: 'password', redirect: false }),
      });
    case '/leave':
      return Response.json({ to: (await signOut({ redirect: false })).redirect });
    default:
      return undefined;
  }
});

export const config = { matcher: '/((?!_next/).*)' };
