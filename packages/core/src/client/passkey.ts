import { askFor, ClientFetchError, formOf, type SignInResponse } from './ask.ts';
import { type CeremonyOptions, offerPasskeys, type PromptOptions, performCeremony } from './ceremony.ts';
import {
  type ClientBinding,
  providerType,
  readOptions,
  type SignInAuthorizationParams,
  type SignInOptions,
} from './sign-in.ts';

/** How the browser asks for a passkey. */
export interface PasskeyOptions {
  /**
   * `true`: offer passkeys in the autofill of a field with `autocomplete="… webauthn"`, until the visitor takes one.
   * Default: `false`, ask in a dialog.
   */
  autofill?: boolean | undefined;
  /** Ends the ceremony when it aborts. */
  signal?: AbortSignal | undefined;
}

/** Options of `signIn`, beside the fields of the provider's form, for example `email`. */
export interface WebAuthnSignInOptions extends SignInOptions, PasskeyOptions {
  /**
   * `authenticate`: use a passkey. `register`: make one, for the signed-in user or for an `email` without a user.
   * Default: the server chooses by the fields.
   */
  action?: 'authenticate' | 'register' | undefined;
}

/**
 * Signs in with a passkey, or makes one: gets the options from the server, asks the visitor, and sends the
 * device's answer. With `autofill`, the browser offers passkeys in a field, and the promise waits until one is taken.
 *
 * ```ts
 * const result = await passkeySignInAt({ address: '/auth', send }, 'passkey', { redirect: false });
 * ```
 *
 * @returns The result. It is `undefined` if the browser leaves the page: after a success, unless `redirect` is `false`.
 *   If the ceremony ends before the form is sent, the page stays. The member `error` is then `BadRequest` (status 400)
 *   if the server refused, otherwise the name of the browser's exception (status 0): `NotAllowedError` if the visitor
 *   canceled.
 * @throws {ClientFetchError} If the server cannot be reached.
 * @throws {TypeError} For a provider without passkeys.
 */
export async function passkeySignInAt(
  { address, send }: ClientBinding,
  provider?: string,
  options: WebAuthnSignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const { autofill, signal, ...others } = options;
  const { fields, redirect, redirectTo } = readOptions(others);
  // The visitor has not asked for the offer, so its failure must not leave the page.
  const type = await providerType(address, provider, { redirect: redirect && !autofill, redirectTo });
  if (!type) return undefined;
  if (type !== 'webauthn') throw new TypeError(`"${provider}" has no passkeys: use the other signIn`);
  const form = await passkeyForm(`${address}/webauthn-options/${provider}?${formOf(fields)}`, { autofill, signal });
  if ('refusal' in form) return { code: undefined, ok: false, url: null, ...form.refusal };
  return send(
    `${address}/callback/${provider}?${new URLSearchParams(authorizationParams)}`,
    { ...fields, ...form.fields, callbackUrl: redirectTo },
    { redirect, trigger: 'getSession' },
  );
}

/** The fields for the callback, or the reason of a failure. */
type PasskeyForm =
  | { readonly fields: { action: string; data: string } }
  | { readonly refusal: { error: string; status: number } };

/** The ceremony in progress. A browser performs one at a time, so an offer has to make room for a dialog. */
const current: { abort?: AbortController } = {};

/**
 * Gets the options of a ceremony and performs it.
 *
 * @param address Of the action `webauthn-options`, with the query.
 * @returns A refusal is the name of the browser's exception with status 0, or `BadRequest` with status 400.
 *
 *   - `NotAllowedError`: the visitor canceled or took too long.
 *   - `InvalidStateError`: the device has a passkey already.
 *   - `NotSupportedError`: the browser has no passkeys.
 *   - `AbortError`: `signal` or another ceremony ended it.
 *   - `BadRequest`: the server refused to make a passkey without an email address, or to use one during a session.
 *
 * @throws {ClientFetchError} If the server cannot be reached.
 */
async function passkeyForm(address: string, { autofill, signal }: PasskeyOptions): Promise<PasskeyForm> {
  if (typeof PublicKeyCredential !== 'function') return { refusal: { error: 'NotSupportedError', status: 0 } };
  current.abort?.abort();
  const abort = new AbortController();
  current.abort = abort;
  const stop = () => abort.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const perform = async (prompt: PromptOptions) => {
    const options = (await askFor(address, { cache: 'no-store', signal: prompt.signal ?? null })) as CeremonyOptions;
    return { fields: { action: options.action, data: await performCeremony(options, prompt) } };
  };
  try {
    return await (autofill ? offerPasskeys(perform, abort.signal) : perform({ signal: abort.signal }));
  } catch (error) {
    return { refusal: refusalOf(error, abort.signal) };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function refusalOf(error: unknown, { aborted }: AbortSignal): { error: string; status: number } {
  if (aborted) return { error: 'AbortError', status: 0 };
  if (error instanceof ClientFetchError) {
    if (error.status === 400) return { error: 'BadRequest', status: 400 };
    throw error;
  }
  if (error instanceof DOMException) return { error: error.name, status: 0 };
  throw error;
}
