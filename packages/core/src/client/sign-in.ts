import type { SignInResponse } from './post.ts';
import { providerType, type Wish } from './provider-type.ts';

/** What `signIn` takes, beside the fields of the provider's form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Record<string, unknown> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** @deprecated use `redirectTo` */
  callbackUrl?: string | undefined;
  /** `false`: tell the result instead of going there. Default: `true`. */
  redirect?: Redirect | undefined;
}

/** Parameters for the provider's authorization address. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/** How a form ends. */
export interface Ending {
  /** Go where the answer leads, instead of telling it. */
  readonly redirect: boolean;
  /** What other tabs are told. */
  readonly trigger: string;
}

/** The binding: where our actions are, and how it sends them a form. */
export interface Counter {
  /** Without a trailing slash. */
  readonly address: string;
  send(address: string, fields: Record<string, unknown>, ending: Ending): Promise<SignInResponse | undefined>;
}

/**
 * Starts a sign-in, or carries it out where credentials go along. Without a provider, or with one that is not configured, the way is to
 * the sign-in page.
 *
 * @returns `undefined` when the page is left.
 * @throws {ClientFetchError} when the server cannot be reached.
 * @throws {TypeError} for passkeys.
 */
export async function signInAt(
  { address, send }: Counter,
  provider?: string,
  options: SignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const wish = readOptions(options);
  const type = await providerType(address, provider, wish);
  if (!type) return undefined;
  if (type === 'webauthn') throw new TypeError(`"${provider}" has passkeys: use signIn of ./webauthn`);
  const action = type === 'credentials' ? 'callback' : 'signin';
  return send(
    `${address}/${action}/${provider}?${new URLSearchParams(authorizationParams)}`,
    { ...wish.fields, callbackUrl: wish.redirectTo },
    { redirect: wish.redirect, trigger: 'getSession' },
  );
}

/** The options as they are meant, apart from the fields of the form. */
export function readOptions(options: SignInOptions): Wish & { fields: Record<string, unknown> } {
  const { callbackUrl = location.href, redirectTo = callbackUrl, redirect = true, ...fields } = options;
  return { redirect, redirectTo, fields };
}
