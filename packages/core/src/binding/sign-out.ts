import type { EnvConfigured } from '../config/env.ts';
import type { Cookie } from '../types.ts';
import { ask, deskOf, destinationOf, type Host } from './host.ts';
import { readOptions, type SignInOptions } from './sign-in.ts';

/** What `signOut` tells with `redirect: false`: where to go, and the cookies that it has set. */
export interface SignedOut {
  redirect: string;
  cookies: Cookie[];
}

/**
 * Ends the session, in the browser and in the store.
 *
 * @returns With `redirect: false`; otherwise the host goes there.
 * @throws {CookiesNotWritable} before anything is done, where no cookie can be set.
 */
export async function signOut(configured: EnvConfigured, host: Host, options: SignInOptions = {}): Promise<SignedOut> {
  const desk = deskOf(configured, host);
  const { redirects, callbackUrl } = readOptions(options, host);
  const reply = await ask(desk, host, { action: 'signout', fields: { callbackUrl } });
  const redirect = destinationOf(desk, reply);
  return redirects ? host.redirect(redirect) : { redirect, cookies: [...(reply.cookies ?? [])] };
}
