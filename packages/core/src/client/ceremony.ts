/** The two things that can be done with passkeys. */
export type Ceremony = 'authenticate' | 'register';

/** The answer of the action `webauthn-options`. */
export interface CeremonyOptions {
  readonly action: Ceremony;
  readonly options: object;
}

/** How the browser asks for a passkey. Default: at once, in a dialog. */
export interface PromptOptions {
  mediation?: CredentialMediationRequirement;
  signal?: AbortSignal;
}

/**
 * Uses a passkey, or makes one. The script of the built-in pages contains this code, so it must not use
 * template strings.
 *
 * @returns The browser's answer as JSON, for the field `data` of the callback.
 * @throws {DOMException} As the browser does: `NotAllowedError` if the visitor canceled or took too long.
 */
export async function performCeremony({ action, options }: CeremonyOptions, prompt: PromptOptions): Promise<string> {
  const credential =
    action === 'register'
      ? await navigator.credentials.create({
          ...prompt,
          publicKey: creationOptions(options as PublicKeyCredentialCreationOptionsJSON),
        })
      : await navigator.credentials.get({
          ...prompt,
          publicKey: requestOptions(options as PublicKeyCredentialRequestOptionsJSON),
        });
  prompt.signal?.throwIfAborted();
  if (!credential) throw new DOMException('no credential', 'NotAllowedError');
  return JSON.stringify(toJSON(credential as PublicKeyCredential));
}

function creationOptions(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  if (PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const { challenge, user, excludeCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  } as object as PublicKeyCredentialCreationOptions;
}

function requestOptions(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if (PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const { challenge, allowCredentials = [] } = json;
  return {
    ...json,
    challenge: toBytes(challenge),
    allowCredentials: allowCredentials.map(descriptor),
  } as object as PublicKeyCredentialRequestOptions;
}

function descriptor(json: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return { ...json, id: toBytes(json.id) } as PublicKeyCredentialDescriptor;
}

/** Serializes a credential. Those of some password managers have no working `toJSON`. */
function toJSON(credential: PublicKeyCredential): object {
  try {
    const json = credential.toJSON();
    if (json?.id) return json;
  } catch {
    // Serialized below.
  }
  const { id, rawId, type, authenticatorAttachment } = credential;
  const response = credential.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const;
  const parts = members.filter((member) => response[member]).map((member) => [member, toText(response[member])]);
  return {
    id,
    rawId: toText(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
    response: { ...Object.fromEntries(parts), transports: response.getTransports?.() },
  };
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toText(buffer: ArrayBuffer | null): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer ?? []));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Milliseconds after which an offer is renewed, well before its challenge expires. */
const OFFER_AGE = 10 * 60 * 1000;
/** Milliseconds that a browser has to answer, once the page is visible again. */
const GRACE = 1500;

const RENEWED = 'renewed';

/**
 * Offers passkeys in the autofill of a field with `autocomplete="… webauthn"` until the visitor takes one. The offer is
 * renewed before it expires. It is also renewed when the page becomes visible: there is one challenge per browser, and
 * another tab may have got a new one.
 *
 * @param perform Makes one offer, from the options to the answer.
 * @param signal Ends the offer.
 * @throws {DOMException} `NotSupportedError` if the browser has no such autofill.
 * @throws The reason of `signal` when it aborts, and the errors of `perform`.
 */
export async function offerPasskeys<T>(
  perform: (prompt: PromptOptions) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()))
    throw new DOMException('no autofill', 'NotSupportedError');
  for (;;) {
    signal.throwIfAborted();
    const round = roundOf(signal);
    try {
      return await perform({ mediation: 'conditional', signal: round.signal });
    } catch (error) {
      if (round.signal.reason !== RENEWED) throw error;
    } finally {
      round.end();
    }
  }
}

function roundOf(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const abort = new AbortController();
  const renew = () => abort.abort(RENEWED);
  const stop = () => abort.abort(signal.reason);
  const timers = [setTimeout(renew, OFFER_AGE)];
  const onVisible = () => {
    // Some browsers hide the page while they ask for the fingerprint. Then the answer arrives first.
    if (document.visibilityState === 'visible') timers.push(setTimeout(renew, GRACE));
  };
  signal.addEventListener('abort', stop);
  document.addEventListener('visibilitychange', onVisible);
  return {
    signal: abort.signal,
    end() {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
