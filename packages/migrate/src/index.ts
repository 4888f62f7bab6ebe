export { BetterAuth, type BetterAuthOptions } from './better-auth.ts';
export {
  ExpressSession,
  type ExpressSessionData,
  type ExpressSessionOptions,
  type ExpressSessionStore,
} from './express-session.ts';
export { Lucia, type LuciaOptions } from './lucia.ts';
export { NextAuth4, type NextAuth4Options, type NextAuth4Store } from './next-auth-4.ts';
export type { OldSession, ReaderOptions } from './reader.ts';
