// Extends the session of each visitor. To close pages to visitors, add `callbacks.authorized` in auth.ts.
export { auth as proxy } from './auth';

export const config = { matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
