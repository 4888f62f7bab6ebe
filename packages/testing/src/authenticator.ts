import { randomBytes } from 'node:crypto';
import type { Cbor } from './authenticator/cbor.ts';
import { coseNumber, makeKey, type PasskeyAlgorithm, type PasskeyKey, signWith, toCose } from './authenticator/keys.ts';
import {
  attestationObject,
  authenticatorData,
  type ClientData,
  clientDataBytes,
  type PasskeyFlags,
  signedBytes,
} from './authenticator/messages.ts';

export type { PasskeyAlgorithm, PasskeyFlags };

/** Options of {@link SoftwareAuthenticator}. */
export interface SoftwareAuthenticatorOptions {
  /** Default: `ES256`. */
  algorithm?: PasskeyAlgorithm | undefined;
  /** Default: `['internal', 'hybrid']`. */
  transports?: string[] | undefined;
  /** What it reports. Default: present and verified, copyable and copied. */
  flags?: Partial<PasskeyFlags> | undefined;
  /** It counts its uses, as security keys do. Default: `true`. */
  counting?: boolean | undefined;
  /** Origins that may use passkeys of any site: what browsers would read from its `/.well-known/webauthn`. Default: none. */
  relatedOrigins?: string[] | undefined;
}

/** A passkey inside an authenticator. */
export interface SoftwarePasskey {
  /** Base64url. */
  readonly id: string;
  readonly rpId: string;
  /** Base64url; which user it is for. */
  readonly userHandle: string;
  readonly userName: string;
  readonly key: PasskeyKey;
  /** Number of uses. */
  counter: number;
}

/** What an authenticator, or the browser in front of it, says instead of the truth. */
export interface PasskeyLies {
  /** Of the client data. */
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  /** Whose hash stands in the authenticator data. */
  rpId?: string;
  flags?: Partial<PasskeyFlags>;
  counter?: number;
  /** Registration: the COSE number that the key says it is for. */
  algorithm?: number;
  /** Base64url; in a registration that of the authenticator data, too. */
  credentialId?: string;
  /** Base64url; outside of the authenticator data alone. */
  namedId?: string;
  /** What stands for `public-key`. */
  credentialType?: string;
  /** Sign-in. Base64url. */
  userHandle?: string;
  /** Sign-in: `broken` differs in one bit, a key is another one's. */
  signature?: 'broken' | PasskeyKey;
  /** Registration. */
  transports?: unknown;
  format?: string;
  statement?: ReadonlyMap<string, Cbor>;
}

/** `PublicKeyCredentialCreationOptionsJSON`, as far as it is read. */
export interface CreationOptionsJSON {
  challenge: string;
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { alg: number }[];
  excludeCredentials?: { id: string }[];
}

/** `PublicKeyCredentialRequestOptionsJSON`, as far as it is read. */
export interface RequestOptionsJSON {
  challenge: string;
  rpId?: string;
  allowCredentials?: { id: string }[];
}

/** What a browser sends, as JSON. */
export interface PasskeyAnswer {
  id: string;
  rawId: string;
  type: string;
  clientExtensionResults: object;
  authenticatorAttachment: string;
  response: Record<string, unknown>;
}

/**
 * An authenticator, and the browser in front of it, in software: makes and uses passkeys as WebAuthn Level 3 has it, without
 * attestation. Each member of what it sends can be a lie.
 *
 * ```ts
 * const phone = new SoftwareAuthenticator({ algorithm: 'EdDSA' });
 * const answer = phone.create(options, 'https://app.test');
 * const forged = phone.get(requestOptions, 'https://app.test', { origin: 'https://evil.test' });
 * ```
 */
export class SoftwareAuthenticator {
  /** The passkeys that it has, the newest last. */
  readonly passkeys: SoftwarePasskey[] = [];
  readonly #options: SoftwareAuthenticatorOptions;

  constructor(options: SoftwareAuthenticatorOptions = {}) {
    this.#options = options;
  }

  /** Another one with the same keys, as somebody has it who copied them. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.#options);
    copy.passkeys.push(...this.passkeys.map((passkey) => ({ ...passkey })));
    return copy;
  }

  /**
   * Makes a passkey: `navigator.credentials.create()` on a page of `origin`.
   *
   * @throws {DOMException} `InvalidStateError` when it has one of those that are excluded, `NotSupportedError` when none of the
   *   algorithms is its own, `SecurityError` when the site is another one's.
   */
  create(options: CreationOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    const { algorithm = 'ES256', transports = ['internal', 'hybrid'] } = this.#options;
    const rpId = this.#siteOf(options.rp.id, origin);
    if (options.excludeCredentials?.some(({ id }) => this.passkeys.some((own) => own.id === id)))
      throw new DOMException('there is a passkey of this site already', 'InvalidStateError');
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
   * Uses a passkey: `navigator.credentials.get()` on a page of `origin`. Of several that fit the newest is taken.
   *
   * @throws {DOMException} `NotAllowedError` when it has none that is asked for, `SecurityError` when the site is another one's.
   */
  get(options: RequestOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    const rpId = this.#siteOf(options.rpId, origin);
    const allowed = options.allowCredentials ?? [];
    const passkey = this.passkeys.findLast(
      (own) => own.rpId === rpId && (allowed.length === 0 || allowed.some(({ id }) => id === own.id)),
    );
    if (!passkey) throw new DOMException('there is no passkey that was asked for', 'NotAllowedError');
    return this.use(passkey, options, origin, lies);
  }

  /** Uses one passkey, whatever was asked for. */
  use(passkey: SoftwarePasskey, options: RequestOptionsJSON, origin: string, lies: PasskeyLies = {}): PasskeyAnswer {
    if (this.#options.counting !== false) passkey.counter += 1;
    const data = authenticatorData(lies.rpId ?? passkey.rpId, this.#flags(lies), lies.counter ?? passkey.counter);
    const client = clientDataBytes(clientData('webauthn.get', options.challenge, origin, lies));
    const signer = typeof lies.signature === 'object' ? lies.signature : passkey.key;
    const signature = signWith(signer, signedBytes(data, client));
    // The last byte: an ASN.1 signature stays well-formed.
    if (lies.signature === 'broken') signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    return answerOf(lies.credentialId ?? lies.namedId ?? passkey.id, lies, {
      clientDataJSON: toText(client),
      authenticatorData: toText(data),
      signature: toText(signature),
      userHandle: lies.userHandle ?? passkey.userHandle,
    });
  }

  /** The domain a passkey is for: the page's, or one above it (WebAuthn §5.1.3), or a related one (§5.11). */
  #siteOf(rpId: string | undefined, origin: string): string {
    const { hostname } = new URL(origin);
    const site = rpId ?? hostname;
    const related = this.#options.relatedOrigins?.includes(origin) === true;
    if (hostname === site || hostname.endsWith(`.${site}`) || related) return site;
    throw new DOMException(`${origin} is no page of ${site}`, 'SecurityError');
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
