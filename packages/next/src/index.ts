export { customFetch } from '@latchkey/core';
export type { AuthorizationParams, SignedOut, SignInOptions } from '@latchkey/core/binding';
export { AuthError, CredentialsSignin } from '@latchkey/core/errors';
// Named one by one, so that `declare module '@latchkey/next'` extends the interfaces themselves.
export type { Account, DefaultSession, Profile, Session, User } from '@latchkey/core/types';
export type { Auth, RouteContext, RouteHandler } from './auth.ts';
export type { NextAuthConfig, NextConfigWith } from './config.ts';
export type { NextAuthRequest } from './guard.ts';
export type { AuthHandler } from './handlers.ts';
export { NextAuth as default, type NextAuthResult } from './next-auth.ts';
