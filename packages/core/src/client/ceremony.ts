/** The two things that can be done with passkeys. */
export type Ceremony = 'authenticate' | 'register';

/** What the action `webauthn-options` answers. */
export interface CeremonyOptions {
  readonly action: Ceremony;
  readonly options: object;
}

/** How the browser is to ask. Default: at once, in a dialogue. */
export interface Manner {
  mediation?: CredentialMediationRequirement;
  signal?: AbortSignal;
}

/**
 * Uses a passkey, or makes one. The page of ours has this as well: it is written without template strings, which cannot stand there.
 *
 * @returns The browser's answer as JSON, for the field `data` of the callback.
 * @throws {DOMException} as the browser does: `NotAllowedError` when the visitor has cancelled or was too slow.
 */
export async function performCeremony({ action, options }: CeremonyOptions, manner: Manner): Promise<string> {
  const credential =
    action === 'register'
      ? await navigator.credentials.create({
          ...manner,
          publicKey: creationOptions(options as PublicKeyCredentialCreationOptionsJSON),
        })
      : await navigator.credentials.get({
          ...manner,
          publicKey: requestOptions(options as PublicKeyCredentialRequestOptionsJSON),
        });
  manner.signal?.throwIfAborted();
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

/** Password managers bring credentials of their own making, not all of which can do it themselves. */
function toJSON(credential: PublicKeyCredential): object {
  try {
    const json = credential.toJSON();
    if (json?.id) return json;
  } catch {
    // written out below
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
