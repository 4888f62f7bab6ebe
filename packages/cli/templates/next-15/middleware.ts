// Extends the session of each visitor. To close pages to visitors, add `callbacks.authorized` in auth.ts.
export { auth as middleware } from './auth';

export const config = { runtime: 'nodejs', matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
