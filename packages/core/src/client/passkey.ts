import { askFor, ClientFetchError } from './ask.ts';
import { type CeremonyOptions, type Manner, performCeremony } from './ceremony.ts';
import { offerPasskeys } from './offer.ts';

/** How passkeys are asked for. */
export interface PasskeyOptions {
  /** Offer them in the autofill of a field with `autocomplete="… webauthn"`, until one is taken. Default: `false`, in a dialogue. */
  autofill?: boolean | undefined;
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

/** Fields for the callback, or why there are none. */
export type PasskeyForm =
  | { readonly fields: { action: string; data: string } }
  | { readonly refusal: { error: string; status: number } };

/** The ceremony in progress: a browser does one at a time, and an offer has to make room for a dialogue. */
const current: { abort?: AbortController } = {};

/**
 * Asks what is to be done, and does it with the browser.
 *
 * @param address Of the action `webauthn-options`, with the query.
 * @returns A refusal is the name of the browser's exception, with status 0: `NotAllowedError` when the visitor has cancelled or was too
 *   slow, `InvalidStateError` when the device has a passkey already, `NotSupportedError` when the browser has none, `AbortError` when it
 *   was ended by `signal` or by another ceremony; or `BadRequest` with status 400 when the server has refused: a passkey is to be made
 *   without an address, or used by somebody who is signed in.
 * @throws {ClientFetchError} when the server cannot be reached.
 */
export async function passkeyForm(address: string, { autofill, signal }: PasskeyOptions): Promise<PasskeyForm> {
  if (typeof PublicKeyCredential !== 'function') return { refusal: { error: 'NotSupportedError', status: 0 } };
  current.abort?.abort();
  const abort = new AbortController();
  current.abort = abort;
  const stop = () => abort.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const take = async (manner: Manner) => {
    const question = (await askFor(address, { cache: 'no-store', signal: manner.signal ?? null })) as CeremonyOptions;
    return { fields: { action: question.action, data: await performCeremony(question, manner) } };
  };
  try {
    return await (autofill ? offerPasskeys(take, abort.signal) : take({ signal: abort.signal }));
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
