import NextAuth, { type NextAuthResult } from '@latchkey/next';
import type { Adapter } from '@latchkey/next/adapters';
import { credentials } from './auth.ts';

const providers = [credentials];
const fails = (): never => {
  throw new Error('out of order');
};
const storeDown = new Proxy({} as Adapter, { get: () => fails });

/** Configurations of which none can tell whether there is a session. */
const faults: Record<string, NextAuthResult> = {
  'wrong-configuration': NextAuth({ providers, session: { strategy: 'database' } }),
  'no-configuration': NextAuth(fails),
  'store-down': NextAuth({ providers, adapter: storeDown, session: { strategy: 'database' } }),
  'session-callback': NextAuth({ providers, callbacks: { session: fails } }),
  'jwt-callback': NextAuth({ providers, callbacks: { jwt: fails } }),
};

export function faultOf(name: unknown): NextAuthResult {
  const fault = faults[String(name)];
  if (!fault) throw new Error(`no such fault: ${name}`);
  return fault;
}
