import type { PublicProvider } from '../types/provider.ts';
import { askFor, leaveFor, type SignInResponse } from './ask.ts';

/** Options of `signIn`, beside the fields of the provider's form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Record<string, unknown> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** Name of `redirectTo` in Auth.js v4. `redirectTo` wins. @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined;
  /** `false`: return the result instead of going there. Default: `true`. */
  redirect?: Redirect | undefined;
}

/** Parameters for the provider's authorization endpoint. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/** The steps after the answer to a form. */
export interface Outcome {
  /** `true`: go where the answer leads. `false`: return the result. */
  readonly redirect: boolean;
  /** The event that other tabs receive. */
  readonly trigger: string;
}

/** The framework's part: where the actions are, and how a form is sent to them. */
export interface ClientBinding {
  /** Address of the actions, without a trailing slash. */
  readonly address: string;
  /**
   * Posts the fields to the address, and then does what `outcome` says. Returns `undefined` if the browser leaves the
   * page.
   */
  send(address: string, fields: Record<string, unknown>, outcome: Outcome): Promise<SignInResponse | undefined>;
}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the browser
 * goes to the sign-in page.
 *
 * ```ts
 * await signInAt({ address: '/auth', send }, 'github', { redirectTo: '/account' });
 * ```
 *
 * An email provider mails a link to the field `email`. Without `email`, the pending sign-in of this browser continues:
 * the field `code` signs in with the code of the mail. Without both fields, the mail is sent again. The visitor then
 * goes where the request for the mail said, unless `redirectTo` names another page.
 *
 * @returns `undefined` if the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached.
 * @throws {TypeError} For a provider with passkeys.
 */
export async function signInAt(
  { address, send }: ClientBinding,
  provider?: string,
  options: SignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const { fields, redirect, redirectTo } = readOptions(options);
  const type = await providerType(address, provider, { redirect, redirectTo });
  if (!type) return undefined;
  if (type === 'webauthn') throw new TypeError(`"${provider}" has passkeys: use signIn of ./webauthn`);
  const isPending = type === 'email' && fields['email'] == null;
  const action = type === 'credentials' ? 'callback' : isPending && fields['code'] != null ? 'code' : 'signin';
  const callbackUrl = isPending ? (options.redirectTo ?? options.callbackUrl) : redirectTo;
  return send(
    `${address}/${action}/${provider}?${new URLSearchParams(authorizationParams)}`,
    { ...fields, callbackUrl },
    { redirect, trigger: 'getSession' },
  );
}

/** The options of a sign-in, with their defaults. */
export interface SignInRequest {
  /** Whether the browser goes where the answer leads. Default: `true`. */
  readonly redirect: boolean;
  /** Where the visitor goes afterwards. Default: this page. */
  readonly redirectTo: string;
}

/**
 * Separates the options from the fields of the form, and fills in the defaults.
 *
 * ```ts
 * readOptions({ redirectTo: '/account', email: 'ada@example.com' }).fields; // { email: 'ada@example.com' }
 * ```
 */
export function readOptions(
  options: SignInOptions | Pick<SignInOptions, 'redirectTo' | 'callbackUrl' | 'redirect'>,
): SignInRequest & { fields: Record<string, unknown> } {
  const { callbackUrl = location.href, redirectTo = callbackUrl, redirect = true, ...fields } = options;
  return { redirect, redirectTo, fields };
}

/**
 * Returns the type of a provider. Without a known provider, the browser goes to the sign-in page. If the providers
 * cannot be loaded, it goes to the error page.
 *
 * @param address Address of the actions.
 * @returns `undefined` if the browser leaves the page.
 * @throws {ClientFetchError} Instead of going to the error page, with `redirect: false`.
 */
export async function providerType(
  address: string,
  provider: string | undefined,
  { redirect, redirectTo }: SignInRequest,
): Promise<string | undefined> {
  let providers: Record<string, PublicProvider> = {};
  try {
    if (provider) providers = (await askFor(`${address}/providers`)) as typeof providers;
  } catch (error) {
    if (!redirect) throw error;
    console.error(error);
    leaveFor(`${address}/error`);
    return undefined;
  }
  if (provider && Object.hasOwn(providers, provider)) return providers[provider]?.type;
  leaveFor(`${address}/signin?${new URLSearchParams({ callbackUrl: redirectTo })}`);
  return undefined;
}
