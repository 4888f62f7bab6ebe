import { randomBytes } from 'node:crypto';
import {
  attestationObject,
  authenticatorData,
  type Cbor,
  type ClientData,
  clientDataBytes,
  coseNumber,
  makeKey,
  type PasskeyAlgorithm,
  type PasskeyFlags,
  type PasskeyKey,
  signedBytes,
  signWith,
  toCose,
} from './authenticator/messages.ts';

export type { PasskeyAlgorithm, PasskeyFlags };

/** Options of {@link SoftwareAuthenticator}. */
export interface SoftwareAuthenticatorOptions {
  /** Default: `ES256`. */
  algorithm?: PasskeyAlgorithm | undefined;
  /** Default: `['internal', 'hybrid']`. */
  transports?: string[] | undefined;
  /** The flags that it reports. Default: all of them. */
  flags?: Partial<PasskeyFlags> | undefined;
  /** Whether it counts its uses, as security keys do. Default: `true`. */
  counting?: boolean | undefined;
  /** Origins that may use passkeys of any site, as in `/.well-known/webauthn`. Default: none. */
  relatedOrigins?: string[] | undefined;
}

/** A passkey inside an authenticator. */
export interface SoftwarePasskey {
  /** Base64url. */
  readonly id: string;
  /** The relying party for which the passkey was made, such as `example.com`. */
  readonly rpId: string;
  /** The user's handle, base64url. */
  readonly userHandle: string;
  /** The user's name at the registration, which a browser shows in its list of passkeys. */
  readonly userName: string;
  /** The key pair. Its private part never leaves a real authenticator. */
  readonly key: PasskeyKey;
  /** Number of uses. */
  counter: number;
}

/** Forged members of the response. */
export interface PasskeyLies {
  /** `type` of the client data. */
  type?: string;
  /** `challenge` of the client data, base64url. Default: the challenge of the options. */
  challenge?: string;
  /** `origin` of the client data. Default: the page's origin. */
  origin?: string;
  /** `crossOrigin` of the client data: whether a frame of another site has asked. Default: `false`. */
  crossOrigin?: boolean;
  /** `topOrigin` of the client data: the origin of the page around the frame. Default: absent. */
  topOrigin?: string;
  /** The relying party whose hash the authenticator data contains. */
  rpId?: string;
  /** Flags of the authenticator data to replace, such as `{ userVerified: false }`. */
  flags?: Partial<PasskeyFlags>;
  /** Signature counter in the authenticator data. Default: the passkey's number of uses. */
  counter?: number;
  /** Registration: the COSE number of the public key. */
  algorithm?: number;
  /** Base64url. In a registration it is also in the authenticator data. */
  credentialId?: string;
  /** Base64url. It is not in the authenticator data. */
  namedId?: string;
  /** The `type` of the credential. Default: `public-key`. */
  credentialType?: string;
  /** Sign-in: base64url. */
  userHandle?: string;
  /** Sign-in: a signature that differs in one bit (`broken`), or the signature of another key. */
  signature?: 'broken' | PasskeyKey;
  /** Registration. */
  transports?: unknown;
  /** Registration: `fmt` of the attestation object (WebAuthn §6.5.4). Default: `none`. */
  format?: string;
  /** Registration: `attStmt` of the attestation object. Default: an empty map. */
  statement?: ReadonlyMap<string, Cbor>;
}

/** The members of `PublicKeyCredentialCreationOptionsJSON` that the authenticator reads. */
export interface CreationOptionsJSON {
  /** Random bytes that the response must sign, base64url. */
  challenge: string;
  /** The relying party. Default of `id`: the host of the page. */
  rp: { id?: string; name: string };
  /** The account for which the passkey is made. `id` is the user handle, base64url. */
  user: { id: string; name: string; displayName: string };
  /** The accepted signature algorithms as COSE numbers, the preferred one first. */
  pubKeyCredParams: { alg: number }[];
  /** Passkeys of the user. An authenticator that has one of them refuses. Default: none. */
  excludeCredentials?: { id: string }[];
}

/** The members of `PublicKeyCredentialRequestOptionsJSON` that the authenticator reads. */
export interface RequestOptionsJSON {
  /** Random bytes that the response must sign, base64url. */
  challenge: string;
  /** The relying party. Default: the host of the page. */
  rpId?: string;
  /** The passkeys that may answer, by id. Default: any passkey of the relying party. */
  allowCredentials?: { id: string }[];
}

/** The credential that a browser sends, as JSON. */
export interface PasskeyAnswer {
  /** Id of the passkey, base64url. */
  id: string;
  /** The same as {@link id}, because JSON has no bytes. */
  rawId: string;
  /** Type of the credential: `public-key`. */
  type: string;
  /** Results of extensions: always `{}`. */
  clientExtensionResults: object;
  /** Where the authenticator is: `platform`, inside the device. */
  authenticatorAttachment: string;
  /** Client data, and the attestation object or the signature with the authenticator data, base64url. */
  response: Record<string, unknown>;
}

/**
 * An authenticator and its browser in software. It makes and uses passkeys as WebAuthn Level 3 requires, without
 * attestation. A test can forge each member of the response.
 *
 * ```ts
 * const phone = new SoftwareAuthenticator({ algorithm: 'EdDSA' });
 * const answer = phone.create(options, 'https://app.test');
 * const forged = phone.get(requestOptions, 'https://app.test', { origin: 'https://evil.test' });
 * ```
 */
export class SoftwareAuthenticator {
  /** The passkeys, the newest last. */
  readonly passkeys: SoftwarePasskey[] = [];
  readonly #options: SoftwareAuthenticatorOptions;

  constructor(options: SoftwareAuthenticatorOptions = {}) {
    this.#options = options;
  }

  /** Returns a copy with the same keys, as a thief of the keys has it. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.#options);
    copy.passkeys.push(...this.passkeys.map((passkey) => ({ ...passkey })));
    return copy;
  }

  /**
   * Makes a passkey: `navigator.credentials.create()` on a page of `origin`.
   *
   * @throws {DOMException} `InvalidStateError` if it has an excluded passkey. `NotSupportedError` if it does not have
   *   one of the algorithms. `SecurityError` if the page does not belong to the relying party.
   */
  create(options: CreationOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    const { algorithm = 'ES256', transports = ['internal', 'hybrid'] } = this.#options;
    const rpId = this.#siteOf(options.rp.id, origin);
    if (options.excludeCredentials?.some(({ id }) => this.passkeys.some((own) => own.id === id)))
      throw new DOMException('the authenticator has a passkey of this site already', 'InvalidStateError');
    const offered = options.pubKeyCredParams.some(({ alg }) => alg === coseNumber[algorithm]);
    if (!offered && lies.algorithm === undefined) throw new DOMException('no algorithm in common', 'NotSupportedError');
    const key = makeKey(algorithm);
    const id = lies.credentialId ?? randomBytes(20).toString('base64url');
    const { id: userHandle, name: userName } = options.user;
    this.passkeys.push({ id, rpId, userHandle, userName, key, counter: lies.counter ?? 0 });
    const data = authenticatorData(lies.rpId ?? rpId, this.#flags(lies), lies.counter ?? 0, {
      id: fromText(id),
      publicKey: toCose(key, lies.algorithm),
    });
    return answerOf(lies.namedId ?? id, lies, {
      clientDataJSON: toText(clientDataBytes(clientData('webauthn.create', options.challenge, origin, lies))),
      attestationObject: toText(attestationObject(lies.format ?? 'none', data, lies.statement ?? new Map())),
      transports: 'transports' in lies ? lies.transports : transports,
    });
  }

  /**
   * Uses the newest allowed passkey: `navigator.credentials.get()` on a page of `origin`.
   *
   * @throws {DOMException} `NotAllowedError` if it does not have an allowed passkey, `SecurityError` if the page does
   *   not belong to the relying party.
   */
  get(options: RequestOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    const rpId = this.#siteOf(options.rpId, origin);
    const allowed = options.allowCredentials ?? [];
    const passkey = this.passkeys.findLast(
      (own) => own.rpId === rpId && (allowed.length === 0 || allowed.some(({ id }) => id === own.id)),
    );
    if (!passkey) throw new DOMException('no passkey is allowed for this request', 'NotAllowedError');
    return this.use(passkey, options, origin, lies);
  }

  /** Uses a passkey, even if the options do not allow it. */
  use(passkey: SoftwarePasskey, options: RequestOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    if (this.#options.counting !== false) passkey.counter += 1;
    const data = authenticatorData(lies.rpId ?? passkey.rpId, this.#flags(lies), lies.counter ?? passkey.counter);
    const client = clientDataBytes(clientData('webauthn.get', options.challenge, origin, lies));
    const signer = typeof lies.signature === 'object' ? lies.signature : passkey.key;
    const signature = signWith(signer, signedBytes(data, client));
    // Changes the last byte, so that an ASN.1 signature stays well formed.
    if (lies.signature === 'broken') signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    return answerOf(lies.credentialId ?? lies.namedId ?? passkey.id, lies, {
      clientDataJSON: toText(client),
      authenticatorData: toText(data),
      signature: toText(signature),
      userHandle: lies.userHandle ?? passkey.userHandle,
    });
  }

  /** Returns the relying party: the page's domain, a parent domain (WebAuthn §5.1.3), or a related one (§5.11). */
  #siteOf(rpId: string | undefined, origin: string): string {
    const { hostname } = new URL(origin);
    const site = rpId ?? hostname;
    const related = this.#options.relatedOrigins?.includes(origin) === true;
    if (hostname === site || hostname.endsWith(`.${site}`) || related) return site;
    throw new DOMException(`${origin} is not a page of ${site}`, 'SecurityError');
  }

  #flags(lies: PasskeyLies): PasskeyFlags {
    const usual = { userPresent: true, userVerified: true, backupEligible: true, backedUp: true };
    return { ...usual, ...this.#options.flags, ...lies.flags };
  }
}

function clientData(type: string, challenge: string, origin: string, lies: PasskeyLies): ClientData {
  return {
    type: lies.type ?? type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? origin,
    crossOrigin: lies.crossOrigin ?? false,
    ...(lies.topOrigin !== undefined && { topOrigin: lies.topOrigin }),
  };
}

function answerOf(id: string, lies: PasskeyLies, response: Record<string, unknown>): PasskeyAnswer {
  const type = lies.credentialType ?? 'public-key';
  return { id, rawId: id, type, clientExtensionResults: {}, authenticatorAttachment: 'platform', response };
}

function fromText(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
